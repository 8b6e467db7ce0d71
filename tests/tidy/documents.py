"""What is written for people: proto comments, the rules' paragraphs, READMEs and their links."""

import posixpath
import re

from tree import Finding, Tree, matches

# The folders that have a page each (docs/CONVENTIONS.md, 21).
ROOMS = ("proto", "engine", "server", "clients", "clients/js", "clients/python", "clients/web",
         "clients/cli", "clients/bots", "deploy", "tests")
# A line that declares something in a .proto file.
DECLARATION = (r"^\s*(?:message|enum|service|oneof|rpc)\s+(\w+)"
               r"|^\s*(?:repeated |optional )?[\w.]+(?:<[^>]*>)?\s+(\w+)\s*=\s*\d+\s*[;\[]"
               r"|^\s*([A-Z][A-Z0-9_]*)\s*=\s*\d+\s*[;\[]")

# The documents that describe the repository as it is built.
DESCRIBING = ("CONTRIBUTING.md", "docs/")
# What a path of the repository begins with, and what is no path but stands for several.
TOPS = ("clients/", "cmake/", "deploy/", "docs/", "engine/", "proto/", "server/", "tests/")
PLACEHOLDER = re.compile(r"[A-Z]{4}|Name\b|[<>*…{]")
TARGET = re.compile(r"^\s*tesela_(?:library|program|test|proto)\(([\w${}]+)", re.MULTILINE)


# What a game that ships has besides its folder in engine/, each found by its name: NAME is that of
# the folder, GAME the one in the protocol (CONTRIBUTING.md, "To add a game").
OF_EACH_GAME = (
    "tests/engine/NAME/playthrough_test.cc", "tests/engine/NAME/simulation_test.cc",
    "tests/engine/NAME/vectors_test.cc", "proto/tesela/game/v1/NAME.proto",
    "server/games/NAME/NAME.h", "clients/cli/games/NAME/NAME_text.h", "tests/verify/games/GAME.py",
    "tests/e2e/harness/games/GAME.mjs")


def check_games(tree: Tree):
    """Every game has all that tests and programs find by its name."""
    for path in tree:
        if found := re.match(r"engine/(\w+)/RULES\.md$", path):
            name = found.group(1)
            for part in OF_EACH_GAME:
                wanted = part.replace("NAME", name).replace("GAME", re.sub(r"^g(?=\d)", "", name))
                if wanted not in tree:
                    yield Finding(path, 1, f"{wanted} is missing, which every game has")


def check_proto_comments(tree: Tree):
    """The contract is the manual: a comment stands right above every element."""
    for path, text in tree.items():
        if not (path.startswith("proto/") and path.endswith(".proto")):
            continue
        lines = text.splitlines()
        for number, match in matches(text, DECLARATION):
            above = lines[number - 2].strip() if number > 1 else ""
            if not above.startswith("//"):
                name = next(filter(None, match.groups()))
                yield Finding(path, number, f"{name} has no comment")


def check_rule_paragraphs(tree: Tree):
    """Every paragraph R-… of a game's rules is named by a test."""
    tested = "\n".join(text for path, text in tree.items()
                       if path.startswith("tests/") and path.endswith((".cc", ".h")))
    for path, text in tree.items():
        if re.match(r"engine/\w+/RULES\.md$", path):
            for line, match in matches(text, r"\*\*(R-\w+-\d+)\b"):
                if not re.search(rf"\b{match.group(1)}\b", tested):
                    yield Finding(path, line, f"no test names {match.group(1)}")


def check_readmes(tree: Tree):
    """Every room has a page, and relative links lead somewhere."""
    for room in ("", *(f"{room}/" for room in ROOMS)):
        if f"{room}README.md" not in tree:
            yield Finding(f"{room}README.md", 1, "is missing: what lives here, and what never may")


def check_links(tree: Tree, exists):
    """`exists(path)` tells whether a path of the repository is there, pictures included."""
    for path, text in tree.items():
        if not path.endswith(".md"):
            continue
        for line, match in matches(text, r"\]\(([^)\s]+)\)"):
            target = match.group(1).split("#")[0]
            if not target or re.match(r"\w+:", target):
                continue
            if not exists(posixpath.normpath(posixpath.join(posixpath.dirname(path), target))):
                yield Finding(path, line, f"{target} is not there")


def _spans(text: str):
    """(line number, code) of every piece of code in a document."""
    fenced = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            yield number, line
        else:
            for code in re.findall(r"`([^`]+)`", line):
                yield number, code


def _stands(name: str, folders: set[str], exists) -> bool:
    """Whether a name is no path, or one that is there: from the root, or in a folder of server/,
    where an ending may be left out."""
    if PLACEHOLDER.search(name):
        return True
    if name.startswith(TOPS):
        return exists(name)
    if name.partition("/")[0] not in folders or "/" not in name:
        return True
    return any(exists(f"server/{name}{ending}") for ending in ("", ".h", ".cc"))


def check_described(tree: Tree, exists):
    """What the documents name is there: files, folders, constants and targets of the build."""
    folders = {path.split("/")[1] for path in tree if path.startswith("server/")}
    code = "\n".join(text for path, text in tree.items() if path.endswith((".cc", ".h")))
    constants = set(re.findall(r"\bk[A-Z]\w+", code))
    names = {name for path, text in tree.items() if path.endswith("CMakeLists.txt")
             for name in TARGET.findall(text)} | {"unit_tests", "fuzz_targets"}
    # A name with a variable, as engine_${game}_test, is one of each game.
    targets = re.compile("|".join(re.sub(r"\$\{\w+\}", r"\\w+", name) for name in names))
    for path, text in tree.items():
        if not path.endswith(".md") or not path.startswith(DESCRIBING):
            continue
        for line, span in _spans(text):
            for name in re.findall(r"[\w./<>*…{}-]+", span):
                name = name.rstrip(".")
                if not _stands(name, folders, exists):
                    yield Finding(path, line, f"{name} is not there")
            for name in re.findall(r"\bk[A-Z]\w+", span):
                if name not in constants and not PLACEHOLDER.search(name):
                    yield Finding(path, line, f"{name} is no constant of the code")
            for command in re.findall(r"ninja -C build/\w+((?: [\w]+)+)", span):
                for name in set(command.split()):
                    if not targets.fullmatch(name):
                        yield Finding(path, line, f"{name} is no target of the build")
