#!/usr/bin/env python3
"""Checks what a game touches, from the tree. The fifth game: the files of this folder, the lines of
each, and the line of the list; no other folder knows of it. A game that ships: outside its own
files, at most SHIPS_LINES_MAX lines (CONTRIBUTING.md, "To add a game")."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = "tests/fifth_game/"
# What other folders say of the game: that its folder is built and tested, and where it is read of.
MENTIONED = {"tests/CMakeLists.txt", "tests/run.sh", "tests/README.md", "CONTRIBUTING.md",
             "docs/DESIGN.md", "README.md"}
NAMES = ("lights_out", "LightsOut", "Lights Out", "fifth_game")
PARTS = {
    "rules": ("RULES.md", "lights_out.h", "lights_out.cc"),
    "messages": ("lights_out.proto", "lights_out_codec.h", "lights_out_codec.cc"),
    "terminal": ("lights_out_text.h", "lights_out_text.cc"),
    "build": ("CMakeLists.txt", "games.def", "new_game.py"),
    "tests": ("lights_out_test.cc", "playthrough.txt", "stream.test.mjs", "terminal_test.py",
              "page.test.mjs", "touched.py", "new_game_test.py"),
    "no game": ("other_rules/CMakeLists.txt", "rules_changed.test.mjs"),
}

SHIPS = ("2048", "2248", "samegame", "azul")
SHIPS_LINES_MAX = 6
# What has a line for every game that ships, or two.
LISTS = ("README.md", "clients/js/src/shipped.ts", "clients/web/src/games/index.ts",
         "clients/web/src/i18n/words.ts", "server/games/games.def")
# What names all games too, and needs not: it compares them, or takes them as examples.
EXAMPLES = (
    "clients/cli/README.md", "clients/web/messages/", "engine/strategy/", "server/picture/",
    "server/store/FORMAT.md", "tests/bench/", "tests/clients/cli/bots_test.py",
    "tests/clients/cli/simulate_test.py",
    "tests/e2e/browser/", "tests/engine/strategy", "tests/server/games/records_test.cc",
    "tests/server/ops/archiver_test.cc", "tests/server/tables/table_snapshots_test.cc",
    "tests/sim/", "tests/vectors/README.md", FOLDER)
# A list names its games within so many lines.
NEAR = 8


def lines(path: str) -> int:
    return len((ROOT / path).read_text(encoding="utf-8").splitlines())


def names_all(text: str) -> bool:
    """Whether all games that ship are named near each other."""
    of_lines = [{game for game in SHIPS if game in line} for line in text.lower().splitlines()]
    return any(len(set().union(*of_lines[at:at + NEAR])) == len(SHIPS)
               for at in range(len(of_lines)))


def shipped(tree: set[str]):
    """What is wrong with the promise of a game that ships."""
    wrong, least = [], dict.fromkeys(SHIPS, 0)
    for path in sorted(tree):
        if any(game in path for game in SHIPS):
            continue
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        if path in LISTS:
            for game in SHIPS:
                least[game] += len(re.findall(rf"^.*{game}.*$", text.lower(), re.MULTILINE))
        elif not path.startswith(EXAMPLES) and names_all(text):
            wrong.append(f"{path}: names every game; let it read the list of games, or say in "
                         "touched.py that a new game needs no place there")
    game = min(least, key=least.get)
    print(f"a game that ships: {least[game]} lines outside its own files ({game})")
    if least[game] > SHIPS_LINES_MAX:
        wrong.append(f"{SHIPS_LINES_MAX} at most")
    return wrong


def main() -> int:
    """0 when every file of the folder is counted and no other folder names the game."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True).stdout
    tree = {path for path in listed.split("\0") if (ROOT / path).is_file()}
    own = {path.removeprefix(FOLDER) for path in tree if path.startswith(FOLDER)}
    counted = {file for files in PARTS.values() for file in files}
    wrong = [f"{file}: not counted, or not there" for file in sorted(own ^ counted)]
    for path in sorted(tree - MENTIONED):
        if path.startswith(FOLDER):
            continue
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        wrong += [f"{path}: names {name}" for name in NAMES if name in text]
    for part, files in PARTS.items():
        there = [file for file in files if file in own]
        count = sum(lines(FOLDER + file) for file in there)
        print(f"{part:9} {len(there):2} files {count:5} lines")
    entry = [line for line in (ROOT / FOLDER / "games.def").read_text().splitlines()
             if line.startswith("TESELA_GAME(")]
    print(f"{'list':9} {len(entry):2} line   {' '.join(entry)}")
    print(f"{'all':9} {len(own):2} files {sum(lines(FOLDER + file) for file in own):5} lines; "
          "other folders of the server, the clients and the engine: 0")
    wrong += shipped(tree)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong or len(entry) != 1 else 0


if __name__ == "__main__":
    sys.exit(main())
