"""What the checks look at: the files that git would commit, as texts by path."""

import pathlib
import re
import subprocess
from typing import NamedTuple

CORPUS = "tests/fuzz/corpus/"
BINARY = (".gz", ".png", ".ico", ".jpg", ".webp", ".woff2", ".zstd")
CODE = (".cc", ".h", ".proto", ".py", ".sh", ".mjs", ".js", ".ts", ".svelte", ".css", ".html",
        ".cmake", "CMakeLists.txt", ".ci/run")

# path -> text. A dictionary, so that a test can feed any tree it likes.
Tree = dict[str, str]


class Finding(NamedTuple):
    """One breach: where, and in a sentence what is wrong."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def read_tree(root: pathlib.Path) -> Tree:
    """Every text file of the repository that is not ignored."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True).stdout
    tree = {}
    for path in filter(None, listed.split("\0")):
        file = root / path
        if file.is_file() and not path.startswith(CORPUS) and not path.endswith(BINARY):
            tree[path] = file.read_text(encoding="utf-8")
    return tree


def is_code(path: str) -> bool:
    """Whether a person writes this file in a programming language."""
    return path.endswith(CODE)


def matches(text: str, pattern: str):
    """(line number, match) for every match of `pattern`, which never spans lines."""
    expression = re.compile(pattern)
    for number, line in enumerate(text.splitlines(), start=1):
        for match in expression.finditer(line):
            yield number, match
