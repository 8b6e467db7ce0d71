#!/usr/bin/env python3
"""How long a server takes from its start to ready after it was killed (-9), by how many of its
tables were played at since it was started before. `--help` lists the options.
"""

import argparse
import http.client
import json
import multiprocessing
import pathlib
import shutil
import signal
import statistics
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).parent.parent))
import lobby
import processes
from long_game import MOVE_TYPE
from longevity_lists import Server
from table_stream import Stream

PLAYERS_AT_ONCE = 2  # processes that make tables and play
# A table leaves the memory soon after its move, as it would in the time that so many moves take.
OPTIONS = ("--table-idle", "1s", "--table-rate", "0", "--sign-in-rate", "0", "--connect-rate", "0",
           "--live-tables-per-player", "0", "--live-tables-per-address", "0",
           "--frame-rate", "0", "--shared-frame-rate", "0")


def make_tables(port: int, token: str, count: int, made) -> None:
    """Makes tables of 2048, and puts their ids."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    ids = []
    for _ in range(count):
        line.request("POST", f"/{lobby.SERVICE}/CreateTable", '{"game":"2048"}', headers)
        answer = json.loads(line.getresponse().read())
        if "table" not in answer:
            raise processes.BenchError(f"no table: {answer}")
        ids.append(answer["table"]["tableId"])
    made.put(ids)


def play_move(port: int, token: str, table: str) -> None:
    """Plays the first move that can be played, and waits for its event."""
    stream = Stream(port, table, {"token": token})
    shown = {}
    while "event" not in shown:
        shown = stream.read()
        if "snapshot" in shown:
            body = {"@type": MOVE_TYPE, "direction": shown["snapshot"]["view"]["legal"][0]}
            stream.send({"move": {"moveId": str(time.time_ns()), "body": body}})
    stream.close()


def play_moves(port: int, token: str, tables: list[str], done) -> None:
    for table in tables:
        play_move(port, token, table)
    done.put(len(tables))


def at_once(work, shares: list[tuple]) -> list:
    """Runs `work` in a process for each share, with a queue in the end; what each has put."""
    queue = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=work, args=(*share, queue)) for share in shares]
    for worker in workers:
        worker.start()
    found = []
    while len(found) < len(shares):
        if any(worker.exitcode for worker in workers):
            raise processes.BenchError("a process that plays has failed")
        if queue.empty():
            time.sleep(0.05)
        else:
            found.append(queue.get())
    for worker in workers:
        worker.join()
    return found


def make(build: pathlib.Path, data: pathlib.Path, tables: int) -> tuple[str, list[str]]:
    """A data folder with so many tables; their owner's token, and their ids."""
    with Server(build, data, *OPTIONS) as server:
        token = lobby.sign_in(server.port)
        count = -(-tables // PLAYERS_AT_ONCE)
        shares = [(server.port, token, count)] * PLAYERS_AT_ONCE
        ids = [table for made in at_once(make_tables, shares) for table in made]
    return token, ids[:tables]


def change(build: pathlib.Path, data: pathlib.Path, token: str, tables: list[str]) -> float:
    """Starts a server, plays a move at each of the tables, and kills the server. The seconds in
    which the moves were played."""
    with Server(build, data, *OPTIONS) as server:
        begin = time.perf_counter()
        shares = [(server.port, token, tables[n::PLAYERS_AT_ONCE]) for n in range(PLAYERS_AT_ONCE)]
        at_once(play_moves, shares)
        seconds = time.perf_counter() - begin
        server.end(signal.SIGKILL)
    return seconds


def start_again(build: pathlib.Path, data: pathlib.Path) -> float:
    """Seconds from the start on a copy of the folder to ready."""
    copy = pathlib.Path(tempfile.mkdtemp(prefix="bench-copy-", dir=build))
    try:
        shutil.copytree(data, copy, dirs_exist_ok=True)
        with Server(build, copy, *OPTIONS) as server:
            server.end(signal.SIGKILL)
            return server.ready_seconds
    finally:
        shutil.rmtree(copy)


def measure(arguments: argparse.Namespace, folder: str) -> None:
    data = pathlib.Path(folder)
    token, tables = make(arguments.build, data, max(arguments.changed))
    print(f"{len(tables)} tables", flush=True)
    for changed in arguments.changed:
        seconds = change(arguments.build, data, token, tables[:changed])
        taken = [start_again(arguments.build, data) for _ in range(arguments.starts)]
        print(f"{changed:6d} tables changed in {seconds:6.1f} s: start to ready "
              f"{statistics.median(taken):.3f} s ({min(taken):.3f} to {max(taken):.3f})",
              flush=True)


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--changed", type=int, nargs="+", default=[0, 1_000, 100_000],
                        help="tables at which a move is played between a start and the kill")
    parser.add_argument("--starts", type=int, default=5, help="that are measured for each")
    return processes.run_on_data(parser.parse_args(), measure)


if __name__ == "__main__":
    sys.exit(main())
