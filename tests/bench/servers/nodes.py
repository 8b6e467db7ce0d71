"""Servers on one PostgreSQL that pass streams on to each other, and the HAProxy before them."""

import contextlib
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.append(str(pathlib.Path(__file__).parent.parent))
import processes
from postgres_server import Database, postgres, server_options

sys.path.append(str(pathlib.Path(__file__).parent.parent.parent))
from free_port import free_port

CONFIGURATION = pathlib.Path(__file__).parents[3] / "deploy" / "haproxy" / "haproxy.cfg"
HAPROXY = "/usr/sbin/haproxy"
HAPROXY_SERVERS = 3
WAIT_SECONDS_MAX = 20
# The load comes from one address, in the place of thousands of players.
NO_LIMITS = ("--frame-rate", "0", "--shared-frame-rate", "0")


def metrics_of(port: int) -> dict[str, float]:
    """What a server has counted: the sum of each metric over its labels."""
    sums: dict[str, float] = {}
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        for line in answer.read().decode().splitlines():
            if not line.startswith("#"):
                sample, _, value = line.rpartition(" ")
                name = sample.partition("{")[0]
                sums[name] = sums.get(name, 0) + float(value)
    return sums


@dataclasses.dataclass(frozen=True)
class Node:
    """A server that runs."""

    port: int
    process: subprocess.Popen

    def metrics(self) -> dict[str, float]:
        return metrics_of(self.port)


def wait_until(holds, what: str) -> None:
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while not holds():
        if time.monotonic() > deadline:
            raise processes.BenchError(f"{what} does not come")
        time.sleep(0.02)


class Cluster:
    """A PostgreSQL, and what servers need that share it."""

    def __init__(self, build: pathlib.Path, database: Database, options: list[str]):
        self._build = build
        self._options = options
        self.database = database

    @contextlib.contextmanager
    def nodes(self, count: int, *options: str):
        """So many servers with data folders of their own."""
        with contextlib.ExitStack() as stack:
            yield [self._start(stack, options) for _ in range(count)]

    def _start(self, stack: contextlib.ExitStack, options: tuple[str, ...]) -> Node:
        data = stack.enter_context(processes.data_folder(self._build))
        return Node(*stack.enter_context(processes.server_on(
            self._build / "bin" / "tesela-server", data, *self._options, *NO_LIMITS,
            "--node-port", str(free_port()), "--node-address", "127.0.0.1",
            "--node-name", "127.0.0.1", *options)))


@contextlib.contextmanager
def cluster(build: pathlib.Path):
    """A cluster on a PostgreSQL that is started for it."""
    with postgres(build.resolve()) as database, \
            server_options(database.url, build) as options, \
            tempfile.TemporaryDirectory(prefix="bench-nodes-") as folder:
        key = pathlib.Path(folder) / "node.key"
        key.write_text(os.urandom(32).hex(), encoding="ascii")
        key.chmod(0o600)
        yield Cluster(build, database, [*options, "--node-secret-file", str(key)])


def configuration_for(port: int, nodes: list[Node]) -> str:
    """That of deploy/haproxy, with these addresses, and without the limits by address."""
    text = CONFIGURATION.read_text(encoding="utf-8").replace("bind :8080",
                                                             f"bind 127.0.0.1:{port}")
    for number, node in enumerate(nodes, start=1):
        text = text.replace(f" node{number}:8080", f" 127.0.0.1:{node.port}")
    limits = ("tcp-request connection reject", "http-request deny")
    return "".join(line for line in text.splitlines(keepends=True)
                   if not line.lstrip().startswith(limits))


@contextlib.contextmanager
def haproxy(nodes: list[Node]):
    """HAProxy before three servers. Gives its port and its process."""
    if len(nodes) != HAPROXY_SERVERS or not pathlib.Path(HAPROXY).exists():
        raise processes.BenchError("HAProxy is not installed, or has other than three servers")
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="bench-haproxy-") as folder:
        file = pathlib.Path(folder) / "haproxy.cfg"
        file.write_text(configuration_for(port, nodes), encoding="utf-8")
        with processes.running([HAPROXY, "-q", "-db", "-f", str(file)],
                               lambda: processes.is_ready(port),
                               subprocess.DEVNULL) as process:
            yield port, process
