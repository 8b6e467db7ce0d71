#!/usr/bin/env python3
"""What a table costs that has been played at for long, by how long the game is: the time in which a
client that was cut off has what it missed, the same when the table must be loaded again after the
server was killed, an undo, and a replay's first frames from a late version. Then how long it takes
until all clients of many tables are back after a kill. `--beside` measures another server in the
same run. `--help` lists the options.
"""

import argparse
import pathlib
import statistics
import sys
import time

import lobby
import processes
import storm
from long_game import Player
from table_stream import Stream

PAUSE_SECONDS = 0.025  # between two executions: their budget is not what is measured
OPTIONS = ("--threads", "1", "--frame-rate", "0", "--shared-frame-rate", "0")


def resume(port: int, player: Player, behind: int) -> tuple[float, bool]:
    """Milliseconds until a spectator has all that was missed, and whether it was sent event by
    event."""
    begin = time.perf_counter()
    stream = Stream(port, player.table,
                    {"lastVersion": str(player.version - behind), "spectate": True})
    resumed = stream.read()["welcome"]["resumed"]
    version = player.version - behind if resumed else 0
    while version < player.version:
        frame = stream.read()
        shown = frame.get("event") or frame.get("snapshot") or {}
        version = max(version, int(shown.get("version", 0)))
    took = 1000 * (time.perf_counter() - begin)
    stream.close()
    time.sleep(PAUSE_SECONDS)
    return took, resumed


def seek(port: int, player: Player, version: int) -> float:
    """Milliseconds until a replay has shown a version and three events after it."""
    begin = time.perf_counter()
    frames = lobby.stream(port, "Replay", {"tableId": player.table, "fromVersion": str(version),
                                           "toVersion": str(version + 3)}, lobby.HISTORY)
    took = 1000 * (time.perf_counter() - begin)
    if len(frames) != 4:
        raise processes.BenchError(f"a replay showed {len(frames)} frames")
    time.sleep(PAUSE_SECONDS)
    return took


def undo(player: Player) -> float:
    took = player.undo()
    time.sleep(PAUSE_SECONDS)
    return took


def measure(port: int, player: Player, arguments: argparse.Namespace) -> None:
    medians = {}
    told = []
    for behind in [0, *arguments.behind]:
        taken = [resume(port, player, behind) for _ in range(arguments.times)]
        medians[behind] = statistics.median(took for took, _ in taken)
        by_event = sum(resumed for _, resumed in taken)
        told.append(f"{behind:3d} behind {medians[behind]:7.2f} ms ({by_event}/{len(taken)})")
    told.append(f"undo {statistics.median(undo(player) for _ in range(arguments.times)):7.2f} ms")
    late = player.version - 10
    sought = statistics.median(seek(port, player, late) for _ in range(arguments.times))
    told.append(f"seek {sought:7.2f} ms")
    print(f"{player.version:6d} versions   " + "   ".join(told), flush=True)
    few = arguments.behind[0]
    print(f"  {few} behind takes {medians[few] - medians[0]:.2f} ms more than 0 behind")


def long_games(program: pathlib.Path, arguments: argparse.Namespace) -> None:
    """A game that grows; at each length it is measured, and the server killed and started."""
    with processes.data_folder(arguments.build) as data:
        player = None
        for version in arguments.versions:
            with processes.server_on(program, data, *OPTIONS) as (port, process):
                if player is None:
                    player = Player(port, practice=True)
                else:
                    player.connect(port)
                player.play_until(version)
                measure(port, player, arguments)
                process.kill()
                process.wait()
            loaded = {}
            for behind in [0, *arguments.behind]:
                with processes.server_on(program, data, *OPTIONS) as (port, process):
                    loaded[behind] = resume(port, player, behind)[0]
                    process.kill()
                    process.wait()
            print("  loaded again: " + "   ".join(f"{behind:3d} behind {took:7.2f} ms"
                                                  for behind, took in loaded.items()), flush=True)
        if player is not None:
            player.stream.close()


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--beside", type=pathlib.Path, action="append", default=[],
                        metavar="SERVER", help="another tesela-server, measured first")
    parser.add_argument("--versions", type=int, nargs="*", default=[600, 6_000, 60_000],
                        help="how long the game is when it is measured, in ascending order")
    parser.add_argument("--behind", type=int, nargs="+", default=[3, 100],
                        help="events that were missed")
    parser.add_argument("--times", type=int, default=30, help="that each is measured")
    parser.add_argument("--tables", type=int, default=1000, help="whose clients all come back")
    parser.add_argument("--moves", type=int, default=500, help="that were played at each of them")
    arguments = parser.parse_args()
    try:
        for program in [*arguments.beside, arguments.build / "bin" / "tesela-server"]:
            print(program, flush=True)
            if arguments.versions:
                long_games(program, arguments)
            if arguments.tables:
                storm.measure(program, arguments.build, arguments.tables, arguments.moves)
    except (processes.BenchError, OSError, RuntimeError) as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
