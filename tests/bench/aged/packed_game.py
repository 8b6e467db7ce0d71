#!/usr/bin/env python3
"""What a long game costs to look at before its log was packed and after: a replay's first frames
from several versions, and a spectator who comes to its table three events behind. Each is measured
as the first request after a start, when a packed log has to be unpacked, and then again. The same
game's undo and seek are measured while it is in play. `--help` lists the options.
"""

import argparse
import pathlib
import sqlite3
import statistics
import sys
import time

sys.path.append(str(pathlib.Path(__file__).parent.parent))
import processes
from long_game import Player
from longevity import OPTIONS, resume, seek, undo

BEHIND = 3
SHARES = (0, 25, 50, 75, 100)  # of the game, in percent: where a replay begins
LATE = 10                      # versions before the end, where the last of them begins
PACKED = 2                     # tables.log_place, server/store/FORMAT.md
PACK_SECONDS_MAX = 120


def play(program: pathlib.Path, data: str, version: int, times: int) -> Player:
    """A finished game of so many versions; tells what it cost in play."""
    with processes.server_on(program, data, *OPTIONS) as (port, _):
        player = Player(port, practice=True)
        player.play_until(version)
        undone = statistics.median(undo(player) for _ in range(times))
        late = player.version - LATE
        sought = statistics.median(seek(port, player, late) for _ in range(times))
        print(f"{player.version:6d} versions, in play   undo {undone:7.2f} ms   "
              f"seek near the end {sought:7.2f} ms", flush=True)
        player.resign()
        player.stream.close()
    return player


def size_of_log(data: str) -> int:
    """The bytes of the records, or of the packed log."""
    database = sqlite3.connect(pathlib.Path(data) / "tesela.db")
    packed, stored = database.execute(
        "SELECT (SELECT sum(length(data)) FROM archives), (SELECT sum(length(record)) FROM log)"
    ).fetchone()
    database.close()
    return packed or stored


def pack(program: pathlib.Path, data: str) -> None:
    """Runs a server until it has packed the log."""
    with processes.server_on(program, data, *OPTIONS, "--archive-after", "0ms"):
        database = sqlite3.connect(pathlib.Path(data) / "tesela.db")
        deadline = time.monotonic() + PACK_SECONDS_MAX
        while database.execute("SELECT log_place FROM tables").fetchone()[0] != PACKED:
            if time.monotonic() > deadline:
                raise processes.BenchError("the log was not packed")
            time.sleep(0.1)
        database.close()


def first_and_again(program: pathlib.Path, data: str, look,
                    arguments: argparse.Namespace) -> tuple[float, float]:
    """Medians of what `look`, a function of the port, took after a start, and later."""
    first, again = [], []
    for _ in range(arguments.starts):
        with processes.server_on(program, data, *OPTIONS, "--archive-after", "1h") as (port, _):
            first.append(look(port))
            again += [look(port) for _ in range(max(1, arguments.times // arguments.starts))]
    return statistics.median(first), statistics.median(again)


def tell(what: str, program: pathlib.Path, data: str, player: Player,
         arguments: argparse.Namespace) -> None:
    """Prints what the finished game costs now."""
    print(f"  {what}, {size_of_log(data)} bytes; first after a start, and again", flush=True)
    for share in SHARES:
        version = max(1, min(player.version * share // 100, player.version - LATE))
        first, again = first_and_again(
            program, data, lambda port, at=version: seek(port, player, at), arguments)
        print(f"    seek to {version:6d} {first:7.2f} ms {again:7.2f} ms", flush=True)
    first, again = first_and_again(
        program, data, lambda port: resume(port, player, BEHIND)[0], arguments)
    print(f"    {BEHIND} behind      {first:7.2f} ms {again:7.2f} ms", flush=True)


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--versions", type=int, nargs="+", default=[600, 6_000, 60_000],
                        help="how long the games are")
    parser.add_argument("--times", type=int, default=30, help="that each is measured again")
    parser.add_argument("--starts", type=int, default=5, help="after which each is measured first")
    arguments = parser.parse_args()
    program = arguments.build / "bin" / "tesela-server"
    try:
        for version in arguments.versions:
            with processes.data_folder(arguments.build) as data:
                player = play(program, data, version, arguments.times)
                tell("as events", program, data, player, arguments)
                pack(program, data)
                tell("packed", program, data, player, arguments)
    except (processes.BenchError, OSError, RuntimeError) as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
