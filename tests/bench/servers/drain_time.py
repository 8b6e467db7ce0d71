#!/usr/bin/env python3
"""How long a server takes to hand its tables over. Players play at one of two servers on one
PostgreSQL, a table each, until that server is told to stop (SIGTERM); each plays on at the other
one as soon as the Goodbye lets it. A move that is lost or played twice is no result. Times begin
with the signal; the server first leaves a proxy time to notice. `--help` lists the options.
"""

import argparse
import asyncio
import dataclasses
import resource
import statistics
import subprocess
import sys
import time

from movers import Mover, make_movers
from nodes import Node, cluster

import processes

NOTICE_SECONDS = 1.2  # limits::kLeaveNoticeTime
STOP_SECONDS_MAX = 30


async def ended(process: subprocess.Popen) -> float:
    """When the process has ended."""
    while process.poll() is None:
        await asyncio.sleep(0.01)
    return time.perf_counter()


@dataclasses.dataclass(frozen=True)
class Drained:
    """The players, and when the server was told to stop and had ended."""

    movers: list[Mover]
    began: float
    end: float
    processor_seconds: float  # that the players took from `began` on


async def drain(arguments: argparse.Namespace, nodes: list[Node]) -> Drained:
    source, target = nodes
    movers = await make_movers(source.port, arguments.tables)
    pace = arguments.tables / arguments.rate
    async with asyncio.timeout(arguments.seconds + STOP_SECONDS_MAX), asyncio.TaskGroup() as group:
        for number, mover in enumerate(movers):
            group.create_task(mover.play(pace, pace * number / len(movers), target.port))
        await asyncio.sleep(arguments.seconds)
        began, spent = time.perf_counter(), time.process_time()
        source.process.terminate()
        end = group.create_task(ended(source.process))
    if source.process.returncode != 0:
        raise processes.BenchError(f"the server ended with {source.process.returncode}")
    return Drained(movers, began, end.result(), time.process_time() - spent)


def report(drained: Drained) -> float:
    """Prints the figures; seconds until the last table is played on, without the notice."""
    movers, began = drained.movers, drained.began
    given_up = max(mover.left_at for mover in movers) - began
    played_on = max(mover.back_at for mover in movers) - began
    breaks = [1000 * (mover.back_at - mover.left_at) for mover in movers]
    first = min(mover.left_at for mover in movers) - began
    print(f"{len(movers)} tables: the first given up after {first:.2f} s, the last after "
          f"{given_up:.2f} s, the last played on after {played_on:.2f} s; without the "
          f"{NOTICE_SECONDS} s for a proxy {given_up - NOTICE_SECONDS:.2f} and "
          f"{played_on - NOTICE_SECONDS:.2f} s; the server ended after {drained.end - began:.2f} s")
    print(f"    breaks p50 {statistics.median(breaks):.0f} ms, p99 "
          f"{statistics.quantiles(breaks, n=100, method='inclusive')[98]:.0f} ms, longest "
          f"{max(breaks):.0f} ms; longest wait for a move "
          f"{1000 * max(mover.wait_max for mover in movers):.0f} ms; "
          f"{sum(mover.acknowledged for mover in movers)} moves, none lost; the players took "
          f"{drained.processor_seconds:.2f} s of a processor", flush=True)
    return played_on - NOTICE_SECONDS


def measure(arguments: argparse.Namespace) -> float:
    """The longest of the rounds."""
    taken = []
    with cluster(arguments.build) as machines:
        for _ in range(arguments.rounds):
            with machines.nodes(2) as nodes:
                taken.append(report(asyncio.run(drain(arguments, nodes))))
    return max(taken)


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=200, help="moves a second of all of them")
    parser.add_argument("--seconds", type=float, default=5, help="of play before")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds-max", type=float, default=0,
                        help="fail above, without the time for a proxy; 0: any is good")
    arguments = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    failed = False
    seconds = 0.0
    try:
        seconds = measure(arguments)
    except* (processes.BenchError, OSError, TimeoutError) as errors:
        print(f"no result: {errors.exceptions[0]}", file=sys.stderr)
        failed = True
    return 1 if failed or (arguments.seconds_max and seconds > arguments.seconds_max) else 0


if __name__ == "__main__":
    sys.exit(main())
