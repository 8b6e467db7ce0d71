#!/usr/bin/env python3
"""What a table costs that has been played at for long: the time in which a client that was cut off
has the position again, by how long the game is and how many events were missed. Of each, what it
takes above a client that missed none. `--help` lists the options.
"""

import argparse
import pathlib
import statistics
import sys
import time

from long_game import Player, at_lengths
from table_stream import Stream

PAUSE_SECONDS = 0.02  # between two reconnections: the budget of executions is not what is measured


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


def measure(port: int, player: Player, arguments: argparse.Namespace) -> None:
    medians = {}
    told = []
    for behind in [0, *arguments.behind]:
        taken = [resume(port, player, behind) for _ in range(arguments.times)]
        medians[behind] = statistics.median(took for took, _ in taken)
        by_event = sum(resumed for _, resumed in taken)
        told.append(f"{behind:3d} behind {medians[behind]:7.2f} ms ({by_event}/{len(taken)})")
    print(f"{player.version:6d} versions   " + "   ".join(told), flush=True)
    few = arguments.behind[0]
    print(f"  {few} behind takes {medians[few] - medians[0]:.2f} ms more than 0 behind")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--versions", type=int, nargs="+", default=[600, 6_000, 60_000],
                        help="how long the game is when it is measured, in ascending order")
    parser.add_argument("--behind", type=int, nargs="+", default=[3, 100],
                        help="events that were missed")
    parser.add_argument("--times", type=int, default=30, help="that each is measured")
    arguments = parser.parse_args()
    return at_lengths(arguments.build, arguments.versions,
                      lambda port, player: measure(port, player, arguments))


if __name__ == "__main__":
    sys.exit(main())
