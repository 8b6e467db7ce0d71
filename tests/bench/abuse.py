#!/usr/bin/env python3
"""What abusers cost the players: the latency of moves at tables that are played at the pace of
people, first alone, then beside connections that flood, dawdle, send nonsense and never read, from
addresses of their own and from the players' address; and while all these are at another server, for
what the machine they share costs. Beside that, the time in which somebody who comes meanwhile is
signed in. Prints the figures of all four, the server's memory, and how each kind of abuse was
answered. `--help` lists the options.
"""

import argparse
import contextlib
import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import processes
from abuse_kinds import Site
from abuse_site import site_of
from abusers import ALL_KINDS, Plan, Report, abusing
from lobby import SERVICE
from process_watch import ProcessWatch, open_files, resident_mib
from processes import free_port

# The players come from one address, most of them as one player.
SERVER_OPTIONS = ["--exempt-addresses", "none", "--shared-frame-rate", "250",
                  "--table-rate", "1000", "--streams-per-player", "1000",
                  "--live-tables-per-player", "500",
                  "--live-tables-per-address", "650"]
SETTLE_SECONDS = 2
ARRIVAL_SECONDS = 5  # in which abusers come to players who are there
NEWCOMERS_ADDRESS = "127.0.0.1"
NEWCOMER_SECONDS = 0.25  # from one to the next


class Newcomers:
    """People who come while the body runs, one after the other: how long each waits to be signed
    in, over a connection of their own."""

    def __init__(self, port: int):
        self._port = port
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.waits: list[float] = []  # seconds

    def _sign_in(self):
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30,
                                          source_address=(NEWCOMERS_ADDRESS, 0))
        with contextlib.closing(line):
            line.request("POST", f"/{SERVICE}/SignIn", json.dumps({"displayName": "Newcomer"}),
                         {"Content-Type": "application/json"})
            line.getresponse().read()

    def _run(self):
        while not self._stop.wait(NEWCOMER_SECONDS):
            began = time.monotonic()
            with contextlib.suppress(OSError, http.client.HTTPException):
                self._sign_in()
            self.waits.append(time.monotonic() - began)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()


class Abuse:
    """One server, which the quiet run and the abused ones share."""

    def __init__(self, arguments: argparse.Namespace, port: int, grpc_port: int, ops_port: int,
                 process: subprocess.Popen, log):
        self._arguments = arguments
        self._port = port
        self._ops_port = ops_port  # where no limit holds whoever reads the counters
        self._process = process
        self.pid = process.pid
        self._log = log
        self.site = site_of(port, grpc_port, arguments.long_moves)
        self._limited = self._limited_so_far()

    def _limited_so_far(self) -> dict[str, int]:
        """tesela_limited_total and tesela_refusals_total, by their labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self._ops_port}/metrics") as answer:
            samples = [line.split(" ") for line in answer.read().decode().splitlines()]
        return {name.removeprefix("tesela_"): round(float(value)) for name, value, *_ in samples
                if name.startswith(("tesela_limited_total", "tesela_refusals_total"))}

    def _loading(self, alone_seconds: int = 0):
        """Players who are not measured before so many seconds and the warm-up are over."""
        arguments = self._arguments
        return processes.loading(
            arguments.build, self._port, self._process, "--game", "2048", "--rate",
            str(arguments.rate), "--tables", str(arguments.tables), "--duration",
            str(arguments.seconds), "--warm-up", str(alone_seconds + arguments.warm_up))

    def _plan(self, addresses: int) -> Plan:
        return Plan(self._arguments.connections, addresses, self._arguments.only)

    def _measure(self, name: str, rest) -> int:
        """The p99 in microseconds."""
        time.sleep(self._arguments.warm_up)
        with ProcessWatch(self._process.pid) as watch, Newcomers(self._port) as newcomers:
            figures = processes.last_line(rest())
        waits = sorted(1000 * wait for wait in newcomers.waits) or [0.0]
        print(f"{name:32} {figures['rate']:4} moves/s   p50 {figures['p50']:6} us   p99 "
              f"{figures['p99']:6} us   sign-in p50 {waits[len(waits) // 2]:6.1f} ms, at most "
              f"{waits[-1]:7.1f}   server {watch.processors:4.2f} processors  "
              f"{watch.mib_max:4.0f} MiB  {watch.files_max:5} files", flush=True)
        return figures["p99"]

    def quiet(self) -> int:
        with self._loading() as rest:
            return self._measure("quiet", rest)

    def beside(self, other: Site) -> int:
        """The abusers are at another server."""
        return self._with_abusers("abusers at another server", other, self._arguments.addresses)[0]

    def from_elsewhere(self) -> int:
        p99, reports = self._with_abusers("abused from elsewhere", self.site,
                                          self._arguments.addresses)
        self._tell(reports)
        return p99

    def _with_abusers(self, name: str, site: Site, addresses: int) -> tuple[int, dict[str, Report]]:
        """The players are there when the abusers come, or the limits of an address met them."""
        with contextlib.ExitStack() as stack:
            rest = stack.enter_context(self._loading(ARRIVAL_SECONDS))
            reports = stack.enter_context(abusing(site, self._plan(addresses)))
            p99 = self._measure(name, rest)
        return p99, reports

    def from_players_address(self) -> int:
        time.sleep(self._arguments.pause)
        p99, reports = self._with_abusers("abused from the players' address", self.site, 0)
        self._tell(reports)
        return p99

    def _tell(self, reports: dict[str, Report]):
        for kind, report in reports.items():
            if report.connections == 0:
                raise processes.BenchError(f"no connection of {kind} came about")
            outcomes = ", ".join(f"{count} {what}" for what, count in report.outcomes.most_common())
            print(f"  {kind.replace('_', ' '):26} {report.connections:6} connections "
                  f"{report.sent / 2**20:8.1f} MiB   {outcomes}")
        now = self._limited_so_far()
        told = ((name, count - self._limited.get(name, 0)) for name, count in now.items())
        print("  counted: " + ", ".join(f"{name} {count}" for name, count in told if count > 0),
              flush=True)
        self._limited = now


    def lines_of_log(self) -> int:
        self._log.seek(0)
        return sum(1 for _ in self._log)


@contextlib.contextmanager
def serving(arguments: argparse.Namespace):
    grpc_port = free_port()
    ops_port = free_port()
    with tempfile.TemporaryFile() as log, processes.tesela_server(
            arguments.build, "--ops-port", str(ops_port), *arguments.server_options,
            grpc_port=grpc_port, log=log
    ) as (port, process):
        yield Abuse(arguments, port, grpc_port, ops_port, process, log)


def measure(arguments: argparse.Namespace) -> bool:
    """Whether the limits of the options are kept."""
    with serving(arguments) as abuse:
        quiet = abuse.quiet()
        with serving(arguments) as other:
            beside = abuse.beside(other.site)
        before = (resident_mib(abuse.pid), open_files(abuse.pid))
        with ProcessWatch(abuse.pid) as watch:
            abused = [abuse.from_elsewhere(), abuse.from_players_address()]
        time.sleep(SETTLE_SECONDS)
        print(f"memory: {before[0]:.0f} MiB before, {watch.mib_max:.0f} MiB at most, "
              f"{resident_mib(abuse.pid):.0f} MiB after; files: {before[1]} before, "
              f"{watch.files_max} at most, {open_files(abuse.pid)} after; "
              f"{abuse.lines_of_log()} lines in its log")
    ratios = [p99 / quiet for p99 in abused]
    print(f"p99 abused / quiet: {abused[0]} / {quiet} = {ratios[0]:.2f} from elsewhere, "
          f"{abused[1]} / {quiet} = {ratios[1]:.2f} from the players' address; with the abusers at "
          f"another server {beside} / {quiet} = {beside / quiet:.2f}")
    return ((arguments.ratio_max is None or max(ratios) <= arguments.ratio_max) and
            (arguments.memory_max is None or watch.mib_max <= arguments.memory_max))


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--tables", type=int, default=100, help="tables whose moves are measured")
    parser.add_argument("--rate", type=float, default=2, help="moves a second at each of them")
    parser.add_argument("--connections", type=int, default=2000, help="of the abusers, at once")
    parser.add_argument("--addresses", type=int, default=199, help="that they come from")
    parser.add_argument("--only", nargs="+", choices=sorted(ALL_KINDS), default=list(ALL_KINDS),
                        metavar="KIND", help="of abuse: " + ", ".join(ALL_KINDS))
    parser.add_argument("--long-moves", type=int, default=2000, help="at the longest table")
    parser.add_argument("--warm-up", type=int, default=3, help="seconds before each measurement")
    parser.add_argument("--seconds", type=int, default=10, help="that each measurement takes")
    parser.add_argument("--pause", type=int, default=60, help="seconds before the last run, in "
                        "which the players' address may sign in again as often as at first")
    parser.add_argument("--ratio-max", type=float, help="fail above this ratio")
    parser.add_argument("--memory-max", type=float, help="fail above these MiB")
    parser.add_argument("--server-options", nargs=argparse.REMAINDER,
                        default=SERVER_OPTIONS, help="what follows is for tesela-server, in place "
                        f"of {' '.join(SERVER_OPTIONS)}")
    arguments = parser.parse_args()
    try:
        return 0 if measure(arguments) else 1
    except (processes.BenchError, OSError, RuntimeError) as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
