#!/usr/bin/env python3
"""How much of what the sockets can carry is left when every move is durable before it is shown.

Plays 2048 at 200 tables through one client process against one server with one network thread, and
the same loop against an echo server; rounds of both take turns, so that a noisy machine disturbs
both. `--help` lists the options.

With --rate each table is played at the pace of people: then the latencies are what to look at.

With --database the server keeps its games in PostgreSQL, which runs on the same machine unless the
URL names another.
"""

import argparse
import contextlib
import statistics
import sys

import postgres_server
import processes


def round_of(name: str, figures: dict[str, int]) -> int:
    print(f"{name:7} {figures['rate']:7} round trips/s   p50 {figures['p50']:6} us   "
          f"p99 {figures['p99']:6} us   server {figures['rss']:4} MiB", flush=True)
    return figures["rate"]


def measure(arguments: argparse.Namespace, database: list[str]) -> float:
    """The ratio of the medians. `database`: the options of the server that name it."""
    options = ["--tables", str(arguments.tables), "--duration", str(arguments.seconds),
               "--warm-up", str(arguments.warm_up), "--rate", str(arguments.rate)]
    rates: dict[str, list[int]] = {"echo": [], "tesela": []}
    for _ in range(arguments.rounds):
        with processes.echo_server(arguments.build) as (port, process):
            lines = processes.load(arguments.build, port, process, "--echo", *options)
            rates["echo"].append(round_of("echo", processes.last_line(lines)))
        server = processes.tesela_server(arguments.build, "--threads", "1", *database)
        with server as (port, process):
            lines = processes.load(arguments.build, port, process, "--game", "2048", *options)
            rates["tesela"].append(round_of("tesela", processes.last_line(lines)))
    medians = {name: statistics.median(of_rounds) for name, of_rounds in rates.items()}
    ratio = medians["tesela"] / medians["echo"]
    print(f"tesela / echo: {medians['tesela']:.0f} / {medians['echo']:.0f} = {ratio:.2f}")
    return ratio


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--warm-up", type=int, default=2)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=0,
                        help="moves a second at each table; 0: as fast as they are answered")
    parser.add_argument("--ratio-min", type=float, default=0, help="fail below this ratio")
    parser.add_argument("--database", metavar="URL",
                        help="an empty PostgreSQL database, postgres://…, in place of SQLite; or "
                             "own: one that is started here")
    arguments = parser.parse_args()
    try:
        with contextlib.ExitStack() as stack:
            database = [] if arguments.database is None else stack.enter_context(
                postgres_server.server_options(arguments.database, arguments.build))
            return 0 if measure(arguments, database) >= arguments.ratio_min else 1
    except processes.BenchError as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
