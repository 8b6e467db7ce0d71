#!/usr/bin/env python3
"""Whether the server keeps its memory, and every move, while everybody abuses it for long: all
kinds of abuse at once from many addresses, beside players of 2048, at default limits that hold for
everybody. Prints, each minute, the resident memory and what the players saw. Fails when memory in
the last ten minutes (of a shorter run, the last third) is above 5 % more than in as long a time
before, or when a move was lost. `--help` lists the options.
"""

import argparse
import contextlib
import statistics
import sys
import tempfile
import time

import processes
from abuse_site import site_of
from abusers import ALL_KINDS, Plan, abusing
from process_watch import open_files, resident_mib
from processes import free_port
from soak_players import Figures, Playing

SAMPLE_SECONDS = 1
WINDOW_MINUTES_MAX = 10


def p99_ms(waits: list[float]) -> float:
    return statistics.quantiles(waits, n=100)[98] * 1000 if len(waits) > 1 else 0.0


class Soak:
    """What was seen so far."""

    def __init__(self):
        self.samples: list[float] = []  # MiB, one a second
        self.acknowledged = 0
        self.games = 0
        self.lost: list[str] = []
        self.waits: list[float] = []

    def add(self, figures: Figures):
        self.acknowledged += figures.acknowledged
        self.games += figures.games
        self.lost += figures.lost
        self.waits += figures.waits

    def growth(self, window_seconds: float) -> tuple[float, float]:
        """The mean of MiB in the last window, and in the one before it."""
        count = max(1, round(window_seconds / SAMPLE_SECONDS))
        last = self.samples[-count:]
        before = self.samples[-2 * count:-count] or last
        return statistics.mean(last), statistics.mean(before)


def watch_minute(soak: Soak, pid: int, playing: Playing, name: str, seconds: float):
    end = time.monotonic() + seconds
    first = len(soak.samples)
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(SAMPLE_SECONDS, left))
        soak.samples.append(resident_mib(pid))
    figures = playing.figures()
    soak.add(figures)
    here = soak.samples[first:]
    refused = ", ".join(f"{count} {why}" for why, count in figures.refused.most_common())
    print(f"{name:>8}   {statistics.mean(here):6.1f} MiB (at most {max(here):6.1f})   "
          f"{open_files(pid):5} files   {figures.acknowledged:6} moves   p99 "
          f"{p99_ms(figures.waits):7.1f} ms   {figures.games} games   {figures.reconnects} "
          f"reconnects   {len(figures.lost)} lost   {refused}", flush=True)


def tell(soak: Soak, reports, window_seconds: float, growth_max: float, lines: int) -> bool:
    for kind, report in sorted(reports.items()):
        outcomes = ", ".join(f"{count} {what}" for what, count in report.outcomes.most_common(4))
        print(f"  {kind.replace('_', ' '):26} {report.connections:6} connections "
              f"{report.sent / 2**20:9.1f} MiB   {outcomes}")
    for what in soak.lost[:20]:
        print(f"lost: {what}")
    last, before = soak.growth(window_seconds)
    print(f"memory: {last:.1f} MiB in the last {window_seconds / 60:.1f} minutes, {before:.1f} in "
          f"those before: {100 * (last / before - 1):+.1f} %; {max(soak.samples):.1f} at most; "
          f"{lines} lines in its log")
    print(f"moves: {soak.acknowledged} acknowledged in {soak.games} games and those that go on, "
          f"{len(soak.lost)} lost; p99 {p99_ms(soak.waits):.1f} ms")
    return last <= growth_max * before and not soak.lost and soak.acknowledged > 0


def run(arguments: argparse.Namespace) -> bool:
    grpc_port = free_port()
    minutes = arguments.minutes
    window_seconds = 60 * min(WINDOW_MINUTES_MAX, minutes / 3)
    soak = Soak()
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(tempfile.TemporaryFile())
        port, process = stack.enter_context(processes.tesela_server(
            arguments.build, "--exempt-addresses", "none", *arguments.server_options,
            grpc_port=grpc_port, log=log))
        site = site_of(port, grpc_port, arguments.long_moves)
        playing = stack.enter_context(Playing(port, arguments.tables, arguments.rate))
        plan = Plan(arguments.connections, arguments.addresses, arguments.only)
        with abusing(site, plan) as reports:
            left = minutes
            while left > 0:
                step = min(1.0, left)
                left -= step
                watch_minute(soak, process.pid, playing, f"{minutes - left:.1f} min", 60 * step)
                if process.poll() is not None:
                    raise processes.BenchError("the server has ended")
        soak.add(playing.end())
        log.seek(0)
        return tell(soak, reports, window_seconds, arguments.growth_max, sum(1 for _ in log))


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--tables", type=int, default=100, help="that are played at")
    parser.add_argument("--rate", type=float, default=2, help="moves a second at each of them")
    parser.add_argument("--connections", type=int, default=2000, help="of the abusers, at once")
    parser.add_argument("--addresses", type=int, default=199, help="that they come from")
    parser.add_argument("--long-moves", type=int, default=3000, help="at the longest table")
    parser.add_argument("--growth-max", type=float, default=1.05,
                        help="fail when memory grows to more than so many times what it was")
    parser.add_argument("--only", nargs="+", choices=sorted(ALL_KINDS), default=list(ALL_KINDS),
                        metavar="KIND", help="of abuse: " + ", ".join(ALL_KINDS))
    parser.add_argument("--server-options", nargs=argparse.REMAINDER, default=[],
                        help="what follows is for tesela-server")
    arguments = parser.parse_args()
    try:
        return 0 if run(arguments) else 1
    except (processes.BenchError, OSError, RuntimeError, EOFError) as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
