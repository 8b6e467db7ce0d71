#!/usr/bin/env python3
"""What a unary call of the lobby costs, over the Connect protocol and over gRPC.

A server of each build is called in a closed loop, in turns: for the strategies of a game, which
come from memory, and for a table, which is read from the store. The line of each kind of call also
has the voluntary context switches of the server's threads for each call. With one connection that
is about the number of threads that a call goes through.
`--help` lists the options.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import sys

import lobby
import process_watch
import processes

sys.path.append(str(pathlib.Path(__file__).parent.parent))
from free_port import free_port

FIGURES = re.compile(r"calls/s (\d+) p50_us (\d+) p99_us (\d+)")


def call(arguments: argparse.Namespace, process: subprocess.Popen, *options: str) -> list[float]:
    """Calls a second, median and 99th percentile in microseconds, waits and processor time a
    call."""
    command = [str(arguments.build / "bin" / "call_load"), "--seconds", str(arguments.seconds),
               "--warm-up", "0", *options]
    waits = process_watch.waits(process.pid)
    spent = process_watch.processor_seconds(process.pid)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    found = FIGURES.fullmatch(done.stdout.strip())
    if done.returncode != 0 or found is None:
        raise processes.BenchError(f"call_load ended with {done.returncode}")
    rate, p50, p99 = (int(text) for text in found.groups())
    calls = max(rate * arguments.seconds, 1)
    return [rate, p50, p99, (process_watch.waits(process.pid) - waits) / calls,
            (process_watch.processor_seconds(process.pid) - spent) / calls * 1e6]


def round_of(arguments: argparse.Namespace, build: pathlib.Path, results: dict) -> None:
    grpc_port = free_port()
    with processes.tesela_server(build, grpc_port=grpc_port) as (port, process):
        token = lobby.sign_in(port)
        table = lobby.call(port, "CreateTable", {"game": "samegame"}, token)["table"]["tableId"]
        for what, options in (("strategies", []), ("a table", ["--table", table])):
            for protocol in ("json", "proto", "grpc"):
                for connections in (1, 16):
                    figures = call(arguments, process, "--protocol", protocol, "--connections",
                                   str(connections), "--port",
                                   str(grpc_port if protocol == "grpc" else port), *options)
                    results.setdefault((what, protocol, connections), {}).setdefault(
                        build, []).append(figures)


def measure(arguments: argparse.Namespace) -> None:
    builds = [arguments.build, *arguments.beside]
    results: dict = {}
    for _ in range(arguments.rounds):
        for build in builds:
            round_of(arguments, build, results)
    for (what, protocol, connections), of_builds in results.items():
        for build, rounds in of_builds.items():
            rate, p50, p99, waits, spent = (statistics.median(column) for column in zip(*rounds))
            print(f"{what:10} {protocol:5} {connections:2} connections  {rate:7.0f} calls/s   "
                  f"p50 {p50:5.0f} us   p99 {p99:6.0f} us   {waits:5.2f} waits   "
                  f"{spent:5.1f} us of a processor   {build}", flush=True)


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--beside", type=pathlib.Path, nargs="*", default=[],
                        help="other builds, whose bin/tesela-server takes turns with it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4, help="of each kind of call")
    arguments = parser.parse_args()
    try:
        measure(arguments)
    except processes.BenchError as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
