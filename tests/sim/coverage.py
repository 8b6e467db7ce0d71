#!/usr/bin/env python3
"""Prints which lines of the server the simulation runs, by folder.

    coverage.py [--build DIR] [--seeds 1-20] [--missed FOLDER] [OPTION of sim …]

Builds the simulation with counters for lines (about as long as a release build), runs the seeds one
after another, and adds up. --missed: the lines of a folder that did not run, too.
"""

import argparse
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("tables", "directory", "matchmaking", "nodes", "stream")


def build(folder):
    flags = "-O1 --coverage -DTESELA_COVERAGE"
    subprocess.run(["cmake", "--preset", "release", "-B", folder, "-DTESELA_TESTS=ON",
                    "-DTESELA_UNIT_TESTS=OFF", f"-DCMAKE_CXX_FLAGS_RELEASE={flags}"],
                   cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", folder, "--quiet", "sim"], cwd=ROOT, check=True)


def lines_of(folder):
    """file -> line -> how often it ran"""
    counts = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as out:
        data = [str(path) for path in folder.glob("server/**/*.gcda")]
        subprocess.run(["gcov", "--json-format", "--preserve-paths", *data], cwd=out, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for path in pathlib.Path(out).glob("*.gcov.json.gz"):
            with gzip.open(path) as text:
                for file in json.load(text)["files"]:
                    name = pathlib.Path(folder, file["file"]).resolve()
                    if ROOT / "server" not in name.parents:
                        continue
                    lines = counts[str(name.relative_to(ROOT / "server"))]
                    for line in file["lines"]:
                        lines[line["line_number"]] += line["count"]
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "coverage")
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--missed")
    arguments, options = parser.parse_known_args()
    folder = arguments.build.resolve()
    build(folder)
    for old in folder.glob("**/*.gcda"):
        old.unlink()
    seeds = pathlib.Path(__file__).with_name("seeds.py")
    status = subprocess.run([sys.executable, seeds, folder / "bin" / "sim", "--jobs", "1",
                             "--seeds", arguments.seeds, *options], check=False).returncode
    counts = lines_of(folder)
    for name in FOLDERS:
        lines = [count for file, counted in counts.items() if file.startswith(name + "/")
                 for count in counted.values()]
        ran = sum(count > 0 for count in lines)
        print(f"{name:12} {100 * ran / max(1, len(lines)):5.1f} % of {len(lines)} lines")
    for file, counted in sorted(counts.items()):
        missed = sorted(line for line, count in counted.items() if count == 0)
        if arguments.missed and file.startswith(arguments.missed) and missed:
            print(f"{file}: {', '.join(map(str, missed))}")
    return status


if __name__ == "__main__":
    sys.exit(main())
