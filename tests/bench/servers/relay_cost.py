#!/usr/bin/env python3
"""What a relay adds to a move. Two servers share a PostgreSQL, and the same tables are played at
the one that has them and through the other one, in turns: first one table without a pause, then
many at the pace of a room of people. Prints the latency of moves and of pings, which no database
answers, and the processor time that the second server takes. `--help` lists the options.
"""

import argparse
import dataclasses
import statistics
import sys
import time

from nodes import Node, cluster, wait_until

import process_watch
import processes
from long_game import Player, percentiles

PLACES = ("direct", "relayed")


@dataclasses.dataclass(frozen=True)
class Round:
    """Microseconds of each move and of each ping, and what the moves took of the other server."""

    moves: list[float]
    pings: list[float]
    processor_seconds: float


class Tables:
    """Tables of one server, whose players come in at either of two."""

    def __init__(self, owner: Node, other: Node, count: int):
        self._nodes = {"direct": owner, "relayed": other}
        self._other = other
        self._players = [Player(owner.port) for _ in range(count)]

    def play(self, place: str, moves: int, interval: float) -> Round:
        """So many moves, one at a time, and then as many pings."""
        self._go_to(place)
        before = process_watch.processor_seconds(self._other.process.pid)
        micros = self._paced(lambda player: player.measure(1, 0)[0], moves, interval)
        spent = process_watch.processor_seconds(self._other.process.pid) - before
        return Round(micros, self._paced(ping, moves, interval), spent)

    def _go_to(self, place: str) -> None:
        """The new stream of a player ends the old one, so that no table is ever without."""
        for player in self._players:
            before = player.stream
            player.connect(self._nodes[place].port)
            before.close()
        relays = len(self._players) if place == "relayed" else 0
        wait_until(lambda: self._other.metrics()["tesela_relays_open"] == relays,
                   f"the number of {relays} relays")

    def _paced(self, act, times: int, interval: float) -> list[float]:
        """Microseconds of each, by one player after the other."""
        taken = []
        for number in range(times):
            due = time.perf_counter() + interval
            taken.append(1000 * act(self._players[number % len(self._players)]))
            time.sleep(max(due - time.perf_counter(), 0))
        return taken

    def close(self) -> None:
        for player in self._players:
            player.stream.close()


def ping(player: Player) -> float:
    """Milliseconds until the answer."""
    begin = time.perf_counter()
    player.stream.send({"ping": {"nonce": "1"}})
    while "pong" not in player.stream.read():
        pass
    return 1000 * (time.perf_counter() - begin)


def report(name: str, what: str, direct: list[list[float]],
           relayed: list[list[float]]) -> float:
    """Prints the figures of all rounds; what a relay adds to the median of one, in microseconds."""
    (direct50, direct99), (relayed50, relayed99) = (
        percentiles([each for micros in rounds for each in micros]) for rounds in (direct, relayed))
    added = statistics.median(statistics.median(beside) - statistics.median(alone)
                              for alone, beside in zip(direct, relayed))
    print(f"{name:10} {what}   direct p50 {direct50:5.0f} us   p99 {direct99:6.0f} us   "
          f"relayed p50 {relayed50:5.0f} us   p99 {relayed99:6.0f} us   "
          f"ratio p50 {relayed50 / direct50:.2f}  p99 {relayed99 / direct99:.2f}   "
          f"a relay adds {added:.0f} us to the p50 of a round, "
          f"{relayed99 - direct99:.0f} us to the p99", flush=True)
    return added


def measure_tables(arguments: argparse.Namespace, name: str, tables: Tables,
                   interval: float) -> float:
    """What a relay adds to the median of a move."""
    rounds: dict[str, list[Round]] = {place: [] for place in PLACES}
    for place in PLACES:  # before anything is measured
        tables.play(place, arguments.moves // 4 + 1, interval)
    for number in range(arguments.rounds):
        for place in PLACES if number % 2 == 0 else reversed(PLACES):
            rounds[place].append(tables.play(place, arguments.moves, interval))
    tables.close()
    direct, relayed = rounds.values()
    report(name, "ping", [each.pings for each in direct], [each.pings for each in relayed])
    added = report(name, "move", [each.moves for each in direct], [each.moves for each in relayed])
    idle, busy = (1e6 * sum(each.processor_seconds for each in of_place)
                  / (arguments.moves * arguments.rounds) for of_place in rounds.values())
    print(f"{name:10} the server that relays takes {busy:.0f} us of a processor a move, and "
          f"{idle:.0f} us in the same time without relays", flush=True)
    return added


def measure(arguments: argparse.Namespace) -> float:
    """The larger one of what a relay adds."""
    with cluster(arguments.build) as machines, machines.nodes(2, "--threads", "1") as nodes:
        added = [measure_tables(arguments, name, Tables(*nodes, count), interval)
                 for name, count, interval in (
                     ("1 table", 1, 0),
                     (f"{arguments.tables} tables", arguments.tables, 1 / arguments.rate))]
    return max(added)


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--tables", type=int, default=100, help="of the second part")
    parser.add_argument("--rate", type=float, default=200, help="moves a second of all of them")
    parser.add_argument("--rounds", type=int, default=10, help="of either place")
    parser.add_argument("--moves", type=int, default=400, help="of a round; then as many pings")
    parser.add_argument("--added-max", type=float, default=0,
                        help="fail above so many microseconds; 0: any is good")
    arguments = parser.parse_args()
    try:
        added = measure(arguments)
    except (processes.BenchError, OSError) as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1
    return 1 if arguments.added_max and added > arguments.added_max else 0


if __name__ == "__main__":
    sys.exit(main())
