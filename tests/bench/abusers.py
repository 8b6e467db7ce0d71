"""Many connections that mean harm: each does one thing until it is over, and begins again. They run
in a process of their own, which gets the processors only while nobody else wants them: elsewhere
they would have machines of their own."""

import asyncio
import collections
import contextlib
import dataclasses
import multiprocessing
import os
import random
import resource
import time

from abuse_grpc import GRPC_KINDS, GrpcLine
from abuse_kinds import KINDS, Site
from abuse_line import Line

PAUSE_SECONDS = (0.5, 1.5)  # from the end of a connection to the next one
RAMP_SECONDS = 1  # over which they come
ARRIVAL_SECONDS_MAX = 20  # before one of each kind has connected
LATE_SECONDS_MAX = 60
STOP_SECONDS_MAX = 30
ALL_KINDS = {kind.__name__: kind for kind in KINDS + GRPC_KINDS}


@dataclasses.dataclass(frozen=True)
class Plan:
    connections: int
    addresses: int  # 127.0.0.2 and those after it; 0: the players' own, 127.0.0.1
    kinds: list[str]  # of ALL_KINDS, in turns

    def source(self, number: int) -> str:
        return f"127.0.0.{2 + number % self.addresses}" if self.addresses else "127.0.0.1"


@dataclasses.dataclass
class Report:
    """Of one kind."""

    connections: int = 0
    sent: int = 0  # bytes
    outcomes: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)


class Abusers:
    def __init__(self, site: Site, plan: Plan, all_there):
        self._site = site
        self._all_there = all_there
        self._missing = set(plan.kinds)
        self._plan = plan
        self._reports = {kind: Report() for kind in plan.kinds}
        self._open: dict[Line, Report] = {}

    async def _one(self, kind, source: str):
        """One connection, to its end."""
        report = self._reports[kind.__name__]
        is_grpc = kind in GRPC_KINDS
        port = self._site.grpc if is_grpc else self._site.http
        try:
            line = await (GrpcLine if is_grpc else Line).open(port, source)
        except TimeoutError:
            report.outcomes["not connected"] += 1
            return
        except OSError as error:
            report.outcomes[f"not connected ({os.strerror(error.errno or 0)})"] += 1
            return
        report.connections += 1
        self._open[line] = report
        self._missing.discard(kind.__name__)
        if not self._missing:
            self._all_there.set()
        await kind(line, self._site)
        await line.wait(3600)
        self._close(line)

    def _close(self, line: Line):
        report = self._open.pop(line)
        report.sent += line.sent
        report.outcomes += line.outcome()
        line.drop()

    async def _again_and_again(self, number: int):
        await asyncio.sleep(RAMP_SECONDS * number / self._plan.connections)
        while True:
            kind = ALL_KINDS[self._plan.kinds[number % len(self._plan.kinds)]]
            await self._one(kind, self._plan.source(number))
            await asyncio.sleep(random.uniform(*PAUSE_SECONDS))

    async def run(self, stopped) -> dict[str, Report]:
        """Until something can be read from `stopped`."""
        stop = asyncio.Event()
        asyncio.get_running_loop().add_reader(stopped.fileno(), stop.set)
        self._tasks = [asyncio.create_task(self._again_and_again(number))
                       for number in range(self._plan.connections)]
        await stop.wait()
        for line in list(self._open):
            self._close(line)
        return self._reports


def _work(pipe, all_there, site: Site, plan: Plan):
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files[1], files[1]))
    loop = asyncio.new_event_loop()
    pipe.send(loop.run_until_complete(Abusers(site, plan, all_there).run(pipe)))
    os._exit(0)  # what they are still at is dropped


@contextlib.contextmanager
def abusing(site: Site, plan: Plan):
    """They abuse while the body runs, which begins when one of each kind has connected or they have
    had ARRIVAL_SECONDS_MAX. Gives a dictionary that holds their reports afterwards."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    all_there = context.Event()
    process = context.Process(target=_work, args=(theirs, all_there, site, plan))
    process.start()
    theirs.close()
    reports: dict[str, Report] = {}
    try:
        all_there.wait(ARRIVAL_SECONDS_MAX)
        yield reports
        all_there.wait(LATE_SECONDS_MAX)  # on a busy machine some kinds come late
        ours.send(None)
        deadline = time.monotonic() + STOP_SECONDS_MAX
        while not ours.poll(0.1):
            if process.exitcode is not None or time.monotonic() > deadline:
                raise RuntimeError("the abusers ended without a report")
        reports.update(ours.recv())
    finally:
        process.kill()
        process.join()
