"""Starts what the benchmarks measure, on free ports of the loopback, and reads what it says."""

import argparse
import contextlib
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.append(str(pathlib.Path(__file__).parent.parent))
from free_port import free_port

START_SECONDS_MAX = 20
STOP_SECONDS_MAX = 20
LAST_LINE = re.compile(
    r"moves/s (?P<rate>\d+) p50_us (?P<p50>\d+) p99_us (?P<p99>\d+) p999_us (?P<p999>\d+) "
    r"errors (?P<errors>\d+) server_rss_mib (?P<rss>\d+)"
)


class BenchError(Exception):
    """Why there is no result."""


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


@contextlib.contextmanager
def running(command: list[str], is_up, log=None):
    """Runs `command` while the body runs, from when `is_up()` first holds, then ends it. Its
    standard error goes into the file `log`, or where ours goes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
    try:
        deadline = time.monotonic() + START_SECONDS_MAX
        while not is_up():
            if process.poll() is not None or time.monotonic() > deadline:
                raise BenchError(f"{command[0]} did not start")
            time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def server_on(program: pathlib.Path, data: str, *options: str, grpc_port: int | None = None,
              log=None):
    """A server on a data folder that stays. Gives its HTTP port and its process."""
    port = free_port()
    command = [str(program), "--data", data, "--http-port", str(port),
               "--grpc-port", str(grpc_port or free_port()), "--log-level", "warn", *options]
    with running(command, lambda: is_ready(port), log) as process:
        yield port, process


@contextlib.contextmanager
def data_folder(build: pathlib.Path):
    """A folder for a database, on the disk that holds the build, where a commit costs what it
    costs."""
    data = tempfile.mkdtemp(prefix="bench-data-", dir=build)
    try:
        yield data
    finally:
        shutil.rmtree(data)


def run_on_data(arguments: argparse.Namespace, measure) -> int:
    """Calls `measure(arguments, folder)` with a `data_folder` of its own; the exit status of the
    program."""
    try:
        with data_folder(arguments.build) as data:
            measure(arguments, data)
    except BenchError as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1
    return 0


def options_of(text: str) -> argparse.ArgumentParser:
    """The options that every benchmark has; `text` is what `--help` begins with."""
    parser = argparse.ArgumentParser(description=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    return parser


@contextlib.contextmanager
def tesela_server(build: pathlib.Path, *options: str, grpc_port: int | None = None, log=None):
    """A server with a fresh database. Gives its HTTP port and its process."""
    with data_folder(build) as data, \
            server_on(build / "bin" / "tesela-server", data, *options, grpc_port=grpc_port,
                      log=log) as (port, process):
        yield port, process


@contextlib.contextmanager
def echo_server(build: pathlib.Path):
    """tests/bench/echo_baseline. Gives its port and its process."""
    port = free_port()
    command = [str(build / "bin" / "echo_baseline"), "--port", str(port)]
    with running(command, lambda: is_listening(port)) as process:
        yield port, process


@contextlib.contextmanager
def loading(build: pathlib.Path, port: int, process: subprocess.Popen, *options: str):
    """`tesela load` beside the body, which begins when all its connections are open. Gives a
    function that waits for its end and returns what it has printed since, in lines."""
    command = [str(build / "bin" / "tesela"), "load", "--server", f"127.0.0.1:{port}",
               "--server-pid", str(process.pid), *options]

    def rest() -> list[str]:
        text = client.stdout.read()
        if client.wait() != 0:
            raise BenchError(f"tesela load ended with {client.returncode}")
        return text.splitlines()

    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        try:
            client.stdout.readline()
            yield rest
        finally:
            client.kill()


def load(build: pathlib.Path, port: int, process: subprocess.Popen, *options: str) -> list[str]:
    """The lines that `tesela load` printed after the one that all connections are open."""
    with loading(build, port, process, *options) as rest:
        return rest()


def last_line(lines: list[str]) -> dict[str, int]:
    """The figures of the last line. Errors of the load are no result."""
    found = LAST_LINE.fullmatch(lines[-1]) if lines else None
    if found is None:
        raise BenchError("the last line of tesela load is not what it should be")
    figures = {name: int(text) for name, text in found.groupdict().items()}
    if figures["errors"] != 0:
        raise BenchError(f"{figures['errors']} errors")
    return figures
