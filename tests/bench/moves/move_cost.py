#!/usr/bin/env python3
"""What a move costs in user instructions, system calls, allocations and bytes: by thread, and on
the network thread by room. A fixed game of 2048 is played twice, with different numbers of moves,
through `move_cost` under callgrind; what the longer one costs more is divided by its further moves.
Other programs on the machine do not change the figures."""

import argparse
import collections
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import callgrind

FIRST_MOVES = 30  # of the shorter game: whatever is done once has been done
SKIPPED = 77
# The first that fits a function counts. Coroutines have the names of their functions.
ROOMS = [
    ("decode", r"codec::(decode_client_frame|read_usual_move)"),
    ("admit", r"StreamSession::(may_send|handle_message|post)|Table::post|never_playable|admissible"
              r"|ResentMoves::|begin_attempt|Position::return_command"),
    ("encode", r"event_frame|write_event|WireWriter::|^tesela::codec::encode\(|Codec::write\("
               r"|MessageLite::Serialize"),
    ("play", r"games::MatchOf<.*::(play|commit)\(|tables::commit\(|Attempts::try_out|try_move"),
    ("append", r"SqliteStore::|EventLog::|sqlite::(Writer|WriteQueue|reply)|store::Suspend"),
    ("send", r"StreamSession::(write|send_now)\(|StreamWire::(send|finish_send)|write_some_op"
             r"|write_op<|socket_send_op|teardown|Outbox::pop"),
    ("show", r"Table::show|Members::send_event|Outbox::push"),
    ("receive", r"read_some_op|socket_recv_op|StreamSession::(run|received|room|usual_message)"
                r"|StreamWire::|MessageLengths|Loop::(listen|run_handed_over)"),
    ("table", r"Table::(run|play)\("),
]
REST = "loop"
THREADS = [("client", r"^main$"), ("network", r"decode_client_frame"),
           ("writer", r"Writer::(run|transact|commit)")]
SYSTEM_CALL = re.compile(r"SYSCALL\[\d+,(\d+)\]\(\s*\d+\) sys_(\w+)")


class Run:
    """The program under callgrind."""

    def __init__(self, program: list, moves: int, folder: pathlib.Path):
        folder.mkdir(parents=True)
        out, log, data = folder / "profile", folder / "log", folder / "data"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--separate-threads=yes", "--trace-syscalls=yes",
             "--compress-pos=no", f"--callgrind-out-file={out}", f"--log-file={log}", *program,
             "--moves", str(moves), "--folder", data],
            capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"move_cost failed: {done.stderr}")
        words = done.stdout.split()
        self.bytes = {words[i]: int(words[i + 1]) for i in range(2, len(words), 2)}
        with sqlite3.connect(data / "tesela.db") as database:
            self.bytes["record"] = database.execute(
                "SELECT sum(length(record)) FROM log").fetchone()[0]
        self.profiles, self.system_calls = {}, collections.defaultdict(collections.Counter)
        thread_of = {}
        for path in sorted(folder.glob("profile-*")):
            profile = callgrind.Profile.read(path)
            name = next((name for name, pattern in THREADS if profile.has(pattern)), "others")
            thread_of[int(path.name.rpartition("-")[2])] = name
            if name in self.profiles:
                for counter in ("own", "calls", "below"):
                    getattr(self.profiles[name], counter).update(getattr(profile, counter))
            else:
                self.profiles[name] = profile
        for thread, call in SYSTEM_CALL.findall(log.read_text(errors="replace")):
            self.system_calls[thread_of.get(int(thread), "others")][call] += 1


def calls_text(calls: collections.Counter) -> str:
    return ", ".join(f"{count:.2f} {name}" for name, count in calls.most_common() if count >= 0.05)


def report(short: Run, long: Run, moves: int, top: int) -> None:
    for thread in ("network", "writer"):
        profile = long.profiles[thread].minus(short.profiles.get(thread, callgrind.Profile()))
        calls = collections.Counter({
            name: (count - short.system_calls[thread][name]) / moves
            for name, count in long.system_calls[thread].items()})
        clock_reads = calls.pop("clock_gettime", 0)  # no system call outside of valgrind
        instructions, allocations = profile.by_room(ROOMS, REST)
        print(f"{thread:8} {profile.instructions() / moves:8.0f} instructions "
              f"{sum(allocations.values()) / moves:6.2f} allocations "
              f"{sum(calls.values()):6.2f} system calls {clock_reads:6.2f} clock reads   "
              f"({calls_text(calls)})")
        if thread == "network":
            for room, cost in instructions.most_common():
                print(f"  {room:8} {cost / moves:6.0f} instructions "
                      f"{allocations[room] / moves:6.2f} allocations")
        for name, cost in profile.own.most_common(top):
            print(f"    {cost / moves:7.0f} {name[:160]}")
    sizes = {name: (long.bytes[name] - short.bytes[name]) / moves for name in long.bytes}
    print("bytes    " + ", ".join(f"{size:.1f} {name}" for name, size in sizes.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--moves", type=int, default=200, help="that are counted")
    parser.add_argument("--json", action="store_true", help="frames in JSON")
    parser.add_argument("--top", type=int, default=0, help="functions of each thread to list")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        sys.exit(SKIPPED)
    program = [(options.build / "bin" / "move_cost").resolve(), *["--json"] * options.json]
    with tempfile.TemporaryDirectory() as folder:
        runs = [Run(program, moves, pathlib.Path(folder) / str(moves))
                for moves in (FIRST_MOVES, FIRST_MOVES + options.moves)]
    report(*runs, options.moves, options.top)


if __name__ == "__main__":
    main()
