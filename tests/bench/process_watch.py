"""What a process takes of the machine, read from /proc while something happens to it."""

import contextlib
import os
import pathlib
import re
import threading
import time

SAMPLE_SECONDS = 0.1
TICKS = os.sysconf("SC_CLK_TCK")


def resident_mib(pid: int) -> float:
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def open_files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def processor_seconds(pid: int) -> float:
    """Of all its threads, in user and kernel."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def descendants(pid: int) -> dict[int, str]:
    """The processes that it and those have started, by their ids, with the names of the
    programs."""
    children: dict[int, list[tuple[int, str]]] = {}
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            head, _, rest = file.read_text(encoding="utf-8").rpartition(")")
            number, _, name = head.partition(" (")
            children.setdefault(int(rest.split()[1]), []).append((int(number), name))
    found = {}
    waiting = [pid]
    while waiting:
        for child, name in children.get(waiting.pop(), []):
            found[child] = name
            waiting.append(child)
    return found


def processor_seconds_by_program(pid: int) -> dict[str, float]:
    """Of all its descendants that run now, by the names of their programs."""
    seconds: dict[str, float] = {}
    for descendant, name in descendants(pid).items():
        with contextlib.suppress(OSError):
            seconds[name] = seconds.get(name, 0) + processor_seconds(descendant)
    return seconds


def waits(pid: int) -> int:
    """How often its threads have waited for something: voluntary context switches."""
    total = 0
    for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
        text = status.read_text(encoding="ascii")
        total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.MULTILINE)[1])
    return total


class ProcessWatch:
    """The highest figures while the body of `with` runs, and the processors it kept busy."""

    def __init__(self, pid: int):
        self._pid = pid
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.mib_max = 0.0
        self.files_max = 0
        self.processors = 0.0

    def _sample(self):
        self.mib_max = max(self.mib_max, resident_mib(self._pid))
        self.files_max = max(self.files_max, open_files(self._pid))

    def _run(self):
        began, before = time.monotonic(), processor_seconds(self._pid)
        while not self._stop.wait(SAMPLE_SECONDS):
            self._sample()
        self._sample()
        spent = processor_seconds(self._pid) - before
        self.processors = spent / (time.monotonic() - began)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
