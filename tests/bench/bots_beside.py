#!/usr/bin/env python3
"""What bots in long thought cost the moves of other tables: `tesela load` on one server, with its
bot threads at rest and with all of them searching, in turns. Prints the p99 of both.
`--help` lists the options.
"""

import argparse
import statistics
import sys

import lobby
import processes
from table_stream import Stream


def occupy_bot_threads(port: int, tables: int) -> list[Stream]:
    """Tables of Azul at which two searches play each other, and somebody looks on: without that
    they would get little time."""
    token = lobby.sign_in(port)
    request = {"game": "azul", "watchOnly": True, "bots": [{"strategy": "uct"}] * 2}
    watchers = []
    for _ in range(tables):
        made = lobby.call(port, "CreateTable", request, token)
        watchers.append(Stream(port, made["table"]["tableId"], {}))
    return watchers


def measure(arguments: argparse.Namespace, searches: int) -> dict[str, int]:
    with processes.tesela_server(arguments.build, "--threads", "1", "--bot-threads",
                                 str(arguments.bot_threads), "--bot-think", "10s",
                                 "--bot-pace", "0ms") as (port, process):
        watchers = occupy_bot_threads(port, searches)
        lines = processes.load(arguments.build, port, process, "--tables", str(arguments.tables),
                               "--duration", str(arguments.seconds))
        for watcher in watchers:
            watcher.close()
    return processes.last_line(lines)


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--tables", type=int, default=20, help="tables whose moves are measured")
    parser.add_argument("--bot-threads", type=int, default=1)
    parser.add_argument("--searches", type=int, default=8, help="tables of bots beside them")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10)
    arguments = parser.parse_args()
    p99 = {0: [], arguments.searches: []}
    try:
        for _ in range(arguments.rounds):
            for searches, figures in p99.items():
                measured = measure(arguments, searches)
                figures.append(measured["p99"])
                print(f"{searches:2d} tables of bots {measured['rate']:8d} moves/s   p50 "
                      f"{measured['p50']:6d} us   p99 {measured['p99']:6d} us", flush=True)
    except (processes.BenchError, OSError) as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1
    quiet, searching = (statistics.median(figures) for figures in p99.values())
    print(f"p99 with bots / without: {searching:.0f} / {quiet:.0f} = {searching / quiet:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
