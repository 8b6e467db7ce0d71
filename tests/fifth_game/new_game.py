#!/usr/bin/env python3
"""Writes the skeleton of a game into games/NAME: Lights Out under another name, which is built and
played at once. Then replace its rules by yours (CONTRIBUTING.md, "To add a game")."""

import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# What a game needs of this folder; of CMakeLists.txt, what precedes the tests from outside.
FILES = ("CMakeLists.txt", "RULES.md", "games.def", "playthrough.txt", "lights_out.proto",
         "lights_out.h", "lights_out.cc", "lights_out_codec.h", "lights_out_codec.cc",
         "lights_out_text.h", "lights_out_text.cc", "lights_out_test.cc")
OWN_TESTS_END = "\nif(NOT TESELA_SANITIZE"


def names(name: str) -> list[tuple[str, str]]:
    """What stands in the files, and what takes its place."""
    words = name.split("_")
    return [("tests/fifth_game", f"games/{name}"), ("fifth_game", name), ("_fifth_", f"_{name}_"),
            ("(fifth ", f"({name} "), ("LABEL fifth", f"LABEL {name}"), ("fifth", "new"),
            ("lights_out", name), ("LightsOut", "".join(map(str.capitalize, words))),
            ("Lights Out", " ".join(map(str.capitalize, words))),
            ("R-LO-", f"R-{''.join(words).upper()}-")]


def skeleton(name: str) -> dict[str, str]:
    """The texts of the files, by their names."""
    texts = {}
    for file in FILES:
        text = (HERE / file).read_text(encoding="utf-8")
        if file == "CMakeLists.txt":
            text = text[:text.index(OWN_TESTS_END)]
        for old, new in names(name):
            text = text.replace(old, new)
        texts[file.replace("lights_out", name)] = text
    return texts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="of the game: small letters and digits, such as dots_boxes")
    name = parser.parse_args().name
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*", name):
        print(f"new_game.py: {name!r} is no name of a game: take small letters and digits, with _ "
              "between words, such as dots_boxes", file=sys.stderr)
        return 1
    folder = ROOT / "games" / name
    taken = [path for path in (folder, ROOT / "engine" / name) if path.exists()]
    if taken:
        print(f"new_game.py: {taken[0]} is there: take another name", file=sys.stderr)
        return 1
    folder.mkdir(parents=True)
    for file, text in skeleton(name).items():
        (folder / file).write_text(text, encoding="utf-8")
    print(f"games/{name} is Lights Out under its name. Build and play it, then change its rules:\n"
          f"  cmake --preset release -B build/release -DTESELA_TESTS=ON\n"
          f"  ninja -C build/release {name}_server {name}_cli {name}_test\n"
          f"  build/release/games/{name}/bin/tesela simulate {name} --games 10")
    return 0


if __name__ == "__main__":
    sys.exit(main())
