#!/usr/bin/env python3
"""Counts what the fifth game touches, from the tree: the files of this folder, the lines of each,
and the line of the list. Fails when any other folder knows of the game."""

import pathlib
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
    "build": ("CMakeLists.txt", "games.def"),
    "tests": ("lights_out_test.cc", "playthrough.txt", "stream.test.mjs", "terminal_test.py",
              "page.test.mjs", "touched.py"),
    "no game": ("other_rules/CMakeLists.txt", "rules_changed.test.mjs"),
}


def lines(path: str) -> int:
    return len((ROOT / path).read_text(encoding="utf-8").splitlines())


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
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong or len(entry) != 1 else 0


if __name__ == "__main__":
    sys.exit(main())
