#!/usr/bin/env python3
"""What clients that reconnect in a loop, a hundred versions behind, cost the player of a long game:
the time from a move to its event, with and without them. `--help` lists the options.
"""

import argparse
import multiprocessing
import sys

import processes
from long_game import Player, at_lengths, percentiles
from table_stream import ANSWER_SECONDS_MAX, Stream

BEHIND = 100  # versions


def reconnect(port: int, table: str, version: int, over, counts) -> None:
    """Comes back a hundred versions behind, reads what it missed, and goes, until `over`."""
    while not over.is_set():
        stream = Stream(port, table, {"lastVersion": str(max(1, version - BEHIND)),
                                      "spectate": True})
        welcome = stream.read()["welcome"]
        version = int(welcome["version"])
        frame = stream.read()
        while not ("snapshot" in frame or int(frame.get("event", {}).get("version", 0)) >= version):
            frame = stream.read()
        with counts.get_lock():
            counts[0 if "event" in frame else 1] += 1
        stream.close()


def compare(port: int, player: Player, arguments: argparse.Namespace) -> None:
    alone = player.measure(arguments.moves, arguments.pause)
    over = multiprocessing.Event()
    counts = multiprocessing.Array("q", 2)
    clients = [multiprocessing.Process(target=reconnect,
                                       args=(port, player.table, player.version, over, counts))
               for _ in range(arguments.clients)]
    for client in clients:
        client.start()
    beside = player.measure(arguments.moves, arguments.pause)
    over.set()
    for client in clients:
        client.join(ANSWER_SECONDS_MAX)
        if client.exitcode != 0:
            raise processes.BenchError("a client that reconnects has failed")
    (alone50, alone99), (beside50, beside99) = percentiles(alone), percentiles(beside)
    print(f"{player.version:6d} versions   alone p50 {alone50:7.2f} ms  p99 {alone99:7.2f} ms   "
          f"beside {arguments.clients} p50 {beside50:7.2f} ms  p99 {beside99:7.2f} ms   "
          f"ratio p50 {beside50 / alone50:.2f}  p99 {beside99 / alone99:.2f}   "
          f"(resumed {counts[0]}, snapshots {counts[1]})", flush=True)


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--versions", type=int, nargs="+", default=[20_000, 60_000],
                        help="how long the game is when it is measured, in ascending order")
    parser.add_argument("--clients", type=int, default=2, help="that reconnect, without a token")
    parser.add_argument("--moves", type=int, default=500, help="that are measured each time")
    parser.add_argument("--pause", type=float, default=0.005, help="between them, in seconds")
    arguments = parser.parse_args()
    return at_lengths(arguments.build, arguments.versions,
                      lambda port, player: compare(port, player, arguments))


if __name__ == "__main__":
    sys.exit(main())
