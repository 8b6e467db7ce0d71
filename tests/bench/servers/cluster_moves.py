#!/usr/bin/env python3
"""Moves a second of one server on SQLite, and of one and of three servers on one PostgreSQL, in
turns: `tesela load` plays the same number of tables in all, a process of it at each server. With
--haproxy also through HAProxy before three servers. Prints what took the processors, because all
run on one machine: three servers cannot be faster there than one. `--help` lists the options.
"""

import argparse
import collections
import contextlib
import dataclasses
import os
import statistics
import sys
import time

from nodes import Cluster, Node, cluster, haproxy

import process_watch
import processes

WAL = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"
SIZES = {
    "a move in events": ("SELECT pg_total_relation_size('events')", "events"),
    "a table in tables, seats and heads": (
        "SELECT pg_total_relation_size('tables') + pg_total_relation_size('seats')"
        " + pg_total_relation_size('heads')", "tables"),
    "a snapshot": ("SELECT pg_total_relation_size('snapshots')", "snapshots"),
}
PROGRAMS = {"tesela-server": "servers", "postgres": "PostgreSQL", "tesela": "clients",
            "haproxy": "HAProxy"}


@dataclasses.dataclass(frozen=True)
class Kind:
    name: str
    servers: int
    database: bool
    proxy: bool = False


@dataclasses.dataclass(frozen=True)
class Counts:
    """What was counted up to a moment."""

    seconds: float
    moves: float
    commits: float
    wal: int
    spent: dict[str, float]  # processor seconds by program

    @classmethod
    def now(cls, nodes: list[Node], machines: Cluster | None) -> "Counts":
        metrics: collections.Counter[str] = collections.Counter()
        for node in nodes:
            metrics.update(node.metrics())
        return cls(time.perf_counter(), metrics["tesela_moves_total"],
                   metrics["tesela_commit_writes_count"],
                   machines.database.number(WAL) if machines else 0,
                   process_watch.processor_seconds_by_program(os.getpid()))


@dataclasses.dataclass(frozen=True)
class Round:
    """What was measured, and what was counted in the middle half of it."""

    rate: int
    p50: int  # microseconds; of several clients the middle one
    p99: int  # of several clients the highest
    moves_a_commit: float
    wal_a_move: float
    millis: dict[str, float]  # of a processor for 1,000 moves, by program
    processors: float


def play(arguments: argparse.Namespace, nodes: list[Node], ports: list[int],
         machines: Cluster | None) -> Round:
    """`tesela load` at each of the ports."""
    options = ["--game", "2048", "--tables", str(arguments.tables // len(ports)),
               "--duration", str(arguments.seconds), "--warm-up", str(arguments.warm_up)]
    with contextlib.ExitStack() as stack:
        rests = [stack.enter_context(processes.loading(arguments.build, port, node.process,
                                                       *options))
                 for port, node in zip(ports, nodes)]
        time.sleep(arguments.warm_up + arguments.seconds / 4)
        before = Counts.now(nodes, machines)
        time.sleep(arguments.seconds / 2)
        after = Counts.now(nodes, machines)
        figures = [processes.last_line(rest()) for rest in rests]
    moves = after.moves - before.moves
    if moves == 0:
        raise processes.BenchError("no move was played")
    millis = {word: 1e6 * (after.spent.get(program, 0) - before.spent.get(program, 0)) / moves
              for program, word in PROGRAMS.items()}
    return Round(
        rate=sum(each["rate"] for each in figures),
        p50=int(statistics.median(each["p50"] for each in figures)),
        p99=max(each["p99"] for each in figures),
        moves_a_commit=moves / max(after.commits - before.commits, 1),
        wal_a_move=(after.wal - before.wal) / moves,
        millis=millis,
        processors=sum(millis.values()) * moves / 1e6 / (after.seconds - before.seconds))


def round_of(arguments: argparse.Namespace, kind: Kind, machines: Cluster) -> Round:
    threads = ("--threads", "1")
    if not kind.database:
        with processes.tesela_server(arguments.build, *threads, "--frame-rate", "0",
                                     "--shared-frame-rate", "0") as (port, process):
            return play(arguments, [Node(port, process)], [port], None)
    behind = ("--trusted-proxies", "127.0.0.1") if kind.proxy else ()
    with machines.nodes(kind.servers, *threads, *behind) as nodes:
        if not kind.proxy:
            return play(arguments, nodes, [node.port for node in nodes], machines)
        with haproxy(nodes) as (port, process):
            before = process_watch.resident_mib(process.pid)
            with process_watch.ProcessWatch(process.pid) as watch:
                measured = play(arguments, nodes, [port], machines)
        print(f"HAProxy took {1024 * (watch.mib_max - before) / arguments.tables:.0f} KiB of "
              "memory a stream")
        return measured


def line_of(name: str, rounds: list[Round]) -> str:
    """The medians of the rounds."""
    def median(value) -> float:
        return statistics.median(map(value, rounds))

    shares = "   ".join(f"{word} {took:.1f}" for word in PROGRAMS.values()
                        if (took := median(lambda each: each.millis[word])) > 0)
    together = median(lambda each: sum(each.millis.values()))
    store = median(lambda each: each.wal_a_move)
    return (f"{name:26} {median(lambda each: each.rate):7.0f} moves/s   "
            f"p50 {median(lambda each: each.p50):6.0f} us   "
            f"p99 {median(lambda each: each.p99):6.0f} us\n"
            f"    ms of a processor for 1,000 moves: {shares}   together {together:.1f}; "
            f"{median(lambda each: each.processors):.2f} processors busy; "
            f"{median(lambda each: each.moves_a_commit):.0f} moves a commit"
            + (f", {store:.0f} bytes of WAL a move" if store else ""))


def print_sizes(machines: Cluster) -> None:
    """What the database has grown by, with its indexes."""
    for what, (size, relation) in SIZES.items():
        rows = machines.database.number(f"SELECT count(*) FROM {relation}")
        if rows:
            print(f"{machines.database.number(size) / rows:.0f} bytes {what} ({rows} rows)")


def measure(arguments: argparse.Namespace) -> None:
    kinds = [Kind("SQLite, 1 server", 1, False), Kind("PostgreSQL, 1 server", 1, True),
             Kind("PostgreSQL, 3 servers", 3, True)]
    if arguments.haproxy:
        kinds.append(Kind("3 servers behind HAProxy", 3, True, True))
    rounds: dict[str, list[Round]] = {kind.name: [] for kind in kinds}
    with cluster(arguments.build) as machines:
        for number in range(1, arguments.rounds + 1):
            for kind in kinds:
                rounds[kind.name].append(round_of(arguments, kind, machines))
                print(f"round {number}: {line_of(kind.name, rounds[kind.name][-1:])}", flush=True)
        print("medians")
        for name, of_kind in rounds.items():
            print(line_of(name, of_kind))
        rates = {name: statistics.median(each.rate for each in of_kind)
                 for name, of_kind in rounds.items()}
        first = next(iter(rates.values()))
        print("moves/s of SQLite's: " + ", ".join(f"{name} {rate / first:.2f}"
                                                  for name, rate in rates.items()))
        print_sizes(machines)


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--warm-up", type=int, default=2)
    parser.add_argument("--tables", type=int, default=198, help="in all")
    parser.add_argument("--haproxy", action="store_true",
                        help="also through HAProxy before three servers")
    try:
        measure(parser.parse_args())
    except (processes.BenchError, OSError) as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
