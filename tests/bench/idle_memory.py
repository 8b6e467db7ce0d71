#!/usr/bin/env python3
"""How much memory a table needs that nobody plays at, with one client connected.
`--help` lists the options.
"""

import argparse
import re
import sys

import processes

PER_TABLE = re.compile(r"memory: .*: (?P<kib>[0-9.e+-]+) KiB per table")


def measure(arguments: argparse.Namespace) -> float:
    """KiB per table."""
    with processes.tesela_server(arguments.build) as (port, process):
        lines = processes.load(arguments.build, port, process, "--idle",
                               "--tables", str(arguments.tables),
                               "--duration", str(arguments.seconds))
    processes.last_line(lines)
    found = [match for match in map(PER_TABLE.fullmatch, lines) if match]
    if not found:
        raise processes.BenchError("tesela load did not weigh the tables")
    print(found[0].group(0))
    return float(found[0].group("kib"))


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--tables", type=int, default=5000)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--kib-max", type=float, default=0, help="fail above this; 0: any is good")
    arguments = parser.parse_args()
    try:
        kib = measure(arguments)
    except processes.BenchError as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1
    return 1 if arguments.kib_max and kib > arguments.kib_max else 0


if __name__ == "__main__":
    sys.exit(main())
