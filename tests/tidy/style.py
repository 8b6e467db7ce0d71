"""The style that can be counted: lengths, names, leftovers, and what must not leave a machine."""

import re

from tree import Finding, Tree, is_code, matches

LINES_MAX = 400
COLUMNS_MAX = 100
FORBIDDEN_WORDS = {"util", "utils", "helper", "helpers", "common", "manager", "misc"}
# Written in two halves, so that this file is not its own finding.
LEFTOVERS = "TO" "DO|FIX" "ME|XX" "X"
MACHINE = "/work/" "(?:main|shared)|/ro" "ot/|/ho" "me/\\w|registry\\.npm" "js"


def check_lengths(tree: Tree):
    """Files and lines that are too long to be read in one go."""
    for path, text in tree.items():
        if not is_code(path):
            continue
        lines = text.splitlines()
        if len(lines) > LINES_MAX:
            yield Finding(path, LINES_MAX, f"{len(lines)} lines; {LINES_MAX} at most: split it")
        for number, line in enumerate(lines, start=1):
            if len(line) > COLUMNS_MAX:
                yield Finding(path, number, f"{len(line)} columns; {COLUMNS_MAX} at most")


def check_leftovers(tree: Tree):
    """Marks of unfinished work."""
    for path, text in tree.items():
        if is_code(path) or path.endswith(".md"):
            for line, match in matches(text, rf"\b({LEFTOVERS})\b"):
                yield Finding(path, line, f"stray {match.group()}: finish it or write an issue")


# What prints nothing from outside: games of bots in this program, and the training of them.
OWN_TEXT = ("clients/cli/simulate/", "clients/cli/train/", "clients/cli/games/")
PRINTED = ("clients/cli/base/printed.h", "clients/cli/base/progress.cc")
RAW_PRINT = (r"\b(?:std::)?(?:cout|cerr|clog|out_?|notes_?|answers)\s*<<"
             r"|\bf?(?:printf|puts|putchar|fputs|fwrite)\(|fmt::print|std::print")


def check_prints(tree: Tree):
    """Text from outside goes to a terminal through Printed, which escapes it."""
    for path, text in tree.items():
        if (not path.startswith("clients/cli/") or not path.endswith((".cc", ".h"))
                or path.startswith(OWN_TEXT) or path in PRINTED):
            continue
        for line, match in matches(text, RAW_PRINT):
            yield Finding(path, line, f"'{match.group()}' prints without escaping: print() of "
                                      f"{PRINTED[0]} does it")


def check_awaits(tree: Tree):
    """No co_await inside ?:, which GCC 12 miscompiles."""
    for path, text in tree.items():
        if not path.endswith((".cc", ".h")):
            continue
        # Comments become blanks, so that the lines stay where they are.
        code = re.sub(r"//[^\n]*", "", text)
        for match in re.finditer(r"\?[^?;{}]*\bco_await\b", code):
            yield Finding(path, code.count("\n", 0, match.end()) + 1,
                          "GCC 12 miscompiles co_await inside ?:; use an if")


def check_names(tree: Tree):
    """snake_case file names that say what is inside."""
    for path in tree:
        name = path.rsplit("/", maxsplit=1)[-1]
        if path.endswith((".cc", ".h", ".proto", ".py", ".sh", ".mjs")) and not re.match(
                r"[a-z0-9_]+(\.[a-z0-9_]+)+$", name):
            yield Finding(path, 1, "file names are snake_case")
        words = set(re.split(r"[^a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", path).lower()))
        for word in sorted(words & FORBIDDEN_WORDS):
            yield Finding(path, 1, f"'{word}' names no purpose: say what the file is for")


def check_machine(tree: Tree):
    """Paths of one machine and hosts of its package registry."""
    for path, text in tree.items():
        for line, match in matches(text, MACHINE):
            yield Finding(path, line, f"'{match.group()}' belongs to one machine")
        if path.endswith("package-lock.json"):
            for line, _ in matches(text, r'"resolved":\s*"https?:'):
                yield Finding(path, line, "a lock file names no host of a package registry")
