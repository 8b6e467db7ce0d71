"""How the code is divided: folders that can be overlooked, and classes that stand in one place."""

import collections
import re

from tree import Finding, Tree

FILES_MAX = 30
# Folders that had more when the limit came: none is added, and one that is within the limit goes
# from here.
LARGE_FOLDERS = {"tests/e2e"}
# Folders of tests that mirror folders of the product.
MIRRORS = ("tests/clients/", "tests/engine/", "tests/server/")
# A definition of a member begins its line: "void Table::close(", "Table::Table(".
MEMBER = re.compile(r"^(?:[\w\[].*?[\s*&>])?((?:[a-z_]\w*::)*)([A-Z]\w*)(?:<[^()]*>)?::"
                    r"(?:\w+::)*(?:~?\w+(?:<[^()]*>)?|operator\S+)\(")
NOT_A_DEFINITION = re.compile(r"^(?:return|using|namespace|template|static_assert)\b|[^=!<>]=[^=]")
NAMESPACE = re.compile(r"^namespace (tesela[\w:]*) \{", re.MULTILINE)


def check_folders(tree: Tree):
    """No folder holds more files than can be seen at a glance."""
    counts = collections.Counter(path.rpartition("/")[0] for path in tree)
    for folder, count in counts.items():
        if count > FILES_MAX and folder not in LARGE_FOLDERS:
            yield Finding(folder, 1, f"{count} files; {FILES_MAX} at most: divide it")
    for folder in sorted(LARGE_FOLDERS):
        if counts[folder] <= FILES_MAX and any(path.startswith("tests/tidy/") for path in tree):
            yield Finding(folder, 1, "is within the limit: take it from LARGE_FOLDERS")


def check_classes(tree: Tree):
    """The members of a class are defined in one source."""
    sources = collections.defaultdict(set)
    for path, text in tree.items():
        if not path.startswith(("engine/", "server/", "clients/")) or not path.endswith(".cc"):
            continue
        namespace = NAMESPACE.search(text)
        for line in text.splitlines():
            found = MEMBER.match(line)
            if found and not NOT_A_DEFINITION.search(line[:found.end()]):
                sources[namespace.group(1) if namespace else "", found.group(2)].add(path)
    for key, paths in sources.items():
        if len(paths) > 1:
            names = ", ".join(sorted(paths))
            yield Finding(min(paths), 1, f"{key[1]} is defined in {names}: one class, one source")


def check_mirrors(tree: Tree):
    """A test stands in the folder that has the name of the folder of what it tests."""
    folders = {path.rpartition("/")[0] for path in tree}
    for path in tree:
        folder = path.rpartition("/")[0].removeprefix("tests/")
        if path.startswith(MIRRORS) and path.endswith("_test.cc") and folder not in folders:
            yield Finding(path, 1, f"there is no {folder}: put it where the tested class is")
