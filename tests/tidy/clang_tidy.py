#!/usr/bin/env python3
"""Runs clang-tidy over our own sources in their batches, and only over those that have changed.

Usage: clang_tidy.py BUILD_FOLDER FOLDER …

BUILD_FOLDER holds a compile_commands.json made with clang, without precompiled headers, and with
the protocol's headers generated. Sources are checked in the batches that they are compiled in,
since most of the time goes into the headers; own_code.cc keeps the checks out of those of
libraries. A batch that was clean is remembered, as ccache does for all clones of a user, by a
digest of all that its findings depend on: its text, every file of ours it includes, its command and
the checks.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

LLVM = "19"
CLANG_TIDY = f"clang-tidy-{LLVM}"
ROOT = pathlib.Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "tests" / "tidy" / "own_code.cc"
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.MULTILINE)


class Unit:
    """One translation unit of ours: a source, or a batch of sources."""

    def __init__(self, entry: dict):
        self.path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        self.name = str(self.path.relative_to(ROOT))
        self.sources = [self.name]
        if self.path.parent.name == "batches":
            self.sources = INCLUDE.findall(self.path.read_text())
        command = entry.get("command") or " ".join(entry["arguments"])
        self.command = command.replace(str(ROOT), "")  # the same in every clone

    def digest(self, salt: bytes) -> str:
        """Changes with everything that may change the findings."""
        seen: dict[str, bytes] = {}
        for source in self.sources:
            _collect(source, seen)
        text = hashlib.sha256(salt + self.command.encode())
        for name in sorted(seen):
            text.update(name.encode() + b"\0" + seen[name] + b"\0")
        return text.hexdigest()


def _collect(name: str, seen: dict[str, bytes]) -> None:
    """Adds `name` and all files of ours it includes; a generated header counts as its .proto."""
    name = re.sub(r"^(tesela/.*?)(\.grpc)?\.pb\.h$", r"proto/\1.proto", name)
    file = ROOT / name
    if name in seen or not file.is_file():
        return
    seen[name] = file.read_bytes()
    for included in INCLUDE.findall(seen[name].decode()):
        _collect(included, seen)


def units(build: pathlib.Path, folders: tuple[str, ...]) -> list[Unit]:
    """The units of the compile database whose sources lie in these folders."""
    entries = json.loads((build / "compile_commands.json").read_text())
    ours = {}
    for entry in entries:
        if pathlib.Path(entry["directory"], entry["file"]).resolve().is_relative_to(ROOT):
            unit = Unit(entry)
            if all(source.startswith(folders) for source in unit.sources):
                ours.setdefault(unit.name, unit)
    return list(ours.values())


def plugin(build: pathlib.Path) -> pathlib.Path:
    """own_code.cc as a library that clang-tidy loads."""
    library = build / "own_code.so"
    if not library.exists() or library.stat().st_mtime < PLUGIN.stat().st_mtime:
        subprocess.run([f"clang++-{LLVM}", "-std=c++17", "-fno-rtti", "-fPIC", "-shared",
                        "-isystem", f"/usr/lib/llvm-{LLVM}/include", PLUGIN, "-o", library],
                       check=True)
    return library


def check(source: pathlib.Path, build: pathlib.Path, own_code: pathlib.Path) -> str:
    """clang-tidy's findings in `source`; empty when it is clean."""
    done = subprocess.run([CLANG_TIDY, "--quiet", f"--load={own_code}", "--checks=tesela-own-code",
                           "-p", str(build), str(source)],
                          capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def main() -> int:
    """0 when every unit is clean."""
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    build = pathlib.Path(sys.argv[1]).resolve()
    folders = tuple(folder.rstrip("/") + "/" for folder in sys.argv[2:])
    caches = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    clean = pathlib.Path(caches, "tesela", "clang_tidy_clean")
    clean.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, check=True).stdout
    salt = version + (ROOT / ".clang-tidy").read_bytes() + PLUGIN.read_bytes()

    every = units(build, folders)
    digests = {unit.name: unit.digest(salt) for unit in every}
    waiting = [unit for unit in every if not (clean / digests[unit.name]).exists()]
    failed = 0
    own_code = plugin(build)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda unit: check(unit.path, build, own_code), waiting)
        for unit, findings in zip(waiting, results):
            if findings:
                failed += 1
                print(findings, flush=True)
            else:
                (clean / digests[unit.name]).touch()
    print(f"{sum(len(unit.sources) for unit in every)} sources in {len(every)} batches, "
          f"{len(every) - len(waiting)} unchanged since they were clean, {failed} with findings")
    return 1 if failed or not every else 0


if __name__ == "__main__":
    sys.exit(main())
