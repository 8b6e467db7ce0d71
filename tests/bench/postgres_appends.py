#!/usr/bin/env python3
"""Appends a second of the store on PostgreSQL, beside pgbench with one append a transaction.

Both run in turns on one PostgreSQL that this program starts, with its usual settings, so that a
commit is synced: store_bench through the interface that tables use, and pgbench with prepared
statements on 32 connections, where each transaction moves the head of a table under its epoch and
inserts the event. `--help` lists the options.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import processes
from postgres_server import Database, postgres, programs

STORE = re.compile(r"(\d+) appends/s +([\d.]+) a commit +p50 +(\d+) us +p99 +(\d+) us")
PGBENCH = re.compile(r"tps = ([\d.]+)")
# Each connection has tables of its own, as a server has: none waits for the lock of another.
ONE_APPEND = r"""
\set table :client_id * 15 + random(1, 15)
WITH won AS (UPDATE heads SET version = version + 1 WHERE table_id = :table AND epoch = 1
  RETURNING table_id, version)
INSERT INTO events (table_id, version, epoch, record)
  SELECT table_id, version, 1, decode(repeat('ab', 60), 'hex') FROM won;
"""
TABLES = """
TRUNCATE heads, events;
INSERT INTO heads SELECT id, 1, 0, 0 FROM generate_series(1, 500) AS id;
"""


def store_bench(arguments: argparse.Namespace, database: Database) -> list[float]:
    """Appends a second, appends a commit, median and 99th percentile in microseconds."""
    database.run("SET client_min_messages = warning;"
                 " DROP SCHEMA public CASCADE; CREATE SCHEMA public;")
    with tempfile.TemporaryDirectory(prefix="bench-data-") as folder:
        command = [arguments.build / "bin" / "store_bench", "--tables", str(arguments.tables),
                   "--seconds", str(arguments.seconds), "--data", folder + "/data",
                   "--database", database.url]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found = STORE.search(done.stdout)
    if found is None:
        raise processes.BenchError(f"store_bench said: {done.stdout}")
    return [float(text) for text in found.groups()]


def pgbench(arguments: argparse.Namespace, database: Database) -> float:
    """Transactions a second. On a busy machine the connections alone may take the time."""
    database.run(TABLES)
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(ONE_APPEND)
        script.flush()
        for longer in 1, 10, 100:
            command = [programs() / "pgbench", "-n", "-M", "prepared", "-c", "32", "-j", "2",
                       "-T", str(longer * arguments.seconds), "-f", script.name, database.url]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            if found := PGBENCH.search(done.stdout):
                return float(found.group(1))
    raise processes.BenchError(f"pgbench said: {done.stdout}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="a folder of builds")
    parser.add_argument("--tables", type=int, default=500, help="tables that play at once")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each")
    parser.add_argument("--seconds", type=int, default=5, help="how long a turn is")
    parser.add_argument("--ratio-min", type=float, default=0, help="fail below this ratio")
    arguments = parser.parse_args()
    ratios = []
    with postgres(arguments.build.resolve()) as database:
        for _ in range(arguments.rounds):
            rate, batch, p50, p99 = store_bench(arguments, database)
            single = pgbench(arguments, database)
            ratios.append(rate / single)
            print(f"store {rate:.0f} appends/s, {batch:.0f} a commit, p50 {p50:.0f} us, "
                  f"p99 {p99:.0f} us; pgbench {single:.0f} appends/s; {ratios[-1]:.1f} times",
                  flush=True)
    ratio = statistics.median(ratios)
    print(f"median {ratio:.1f} times")
    return 0 if ratio >= arguments.ratio_min else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (processes.BenchError, subprocess.CalledProcessError) as error:
        sys.exit(f"postgres_appends: {error}")
