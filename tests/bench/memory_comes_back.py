#!/usr/bin/env python3
"""Whether the memory of tables that have gone comes back: many tables that stand at the same time,
then batches of short games; after each all tables leave the server's memory. Prints what the
process has in RAM then. `--help` lists the options.
"""

import argparse
import asyncio
import dataclasses
import json
import subprocess
import sys
import time
import urllib.request

import processes
from abuse_kinds import TEXT, frame, post, upgrade
from process_watch import resident_mib

# Every client has an address and a player of its own, and no rate holds them.
OPEN_DOORS = ["--exempt-addresses", "none", "--sign-in-rate", "0", "--table-rate", "0",
              "--request-rate", "0", "--connect-rate", "0", "--shared-frame-rate", "0",
              "--frame-rate", "0", "--streams-per-player", "0", "--connections-per-address", "0",
              "--live-tables-per-player", "0", "--live-tables-per-address", "0",
              "--table-idle", "1s"]
CONFIG = {"@type": "type.googleapis.com/tesela.game.v1.Game2048Config", "size": 2}
MOVE = "type.googleapis.com/tesela.game.v1.Game2048Move"
EMPTY_SECONDS_MAX = 60
SETTLE_SECONDS = 12  # in which the allocator gives back what is free (server/allocator.cc)


class Game:
    """A stream of one table, played by its owner."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self._reader = reader
        self._writer = writer

    async def _frame(self) -> dict:
        head = await self._reader.readexactly(2)
        size = head[1] & 127
        if size == 126:
            size = int.from_bytes(await self._reader.readexactly(2), "big")
        payload = await self._reader.readexactly(size)
        if head[0] & 15 != TEXT:
            raise processes.BenchError(f"the stream ended: {payload!r}")
        return json.loads(payload)

    def _send(self, message: dict):
        self._writer.write(frame(TEXT, json.dumps(message).encode()))

    async def play(self, table: str, token: str) -> int:
        """To the end. Returns the number of moves."""
        self._writer.write(upgrade(table))
        await self._reader.readuntil(b"\r\n\r\n")
        self._send({"hello": {"token": token}})
        moves = 0
        while True:
            message = await self._frame()
            shown = message.get("snapshot") or message.get("event")
            if not shown:
                continue
            if "result" in shown:
                return moves
            view = shown.get("view") or shown["body"]["view"]
            moves += 1
            self._send({"move": {"moveId": str(moves), "body": {
                "@type": MOVE, "direction": view["legal"][0]}}})


@dataclasses.dataclass
class Client:
    """Plays games one after the other, from an address of its own."""

    port: int
    address: str
    token: str = ""

    async def _open(self):
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))

    async def _call(self, method: str, request: dict) -> dict:
        reader, writer = await self._open()
        writer.write(post(method, json.dumps(request).encode(), self.token))
        head = await reader.readuntil(b"\r\n\r\n")
        size = next(int(line.split(b":")[1]) for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:"))
        answer = json.loads(await reader.readexactly(size))
        writer.close()
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise processes.BenchError(f"{method}: {answer}")
        return answer

    async def play(self, games: int) -> int:
        self.token = ""
        self.token = (await self._call("SignIn", {"displayName": "Bench"}))["token"]
        moves = 0
        for _ in range(games):
            made = await self._call("CreateTable", {"game": "2048", "config": CONFIG})
            reader, writer = await self._open()
            moves += await Game(reader, writer).play(made["table"]["tableId"], self.token)
            writer.close()
        return moves


def tables_in_memory(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return sum(round(float(line.rpartition(" ")[2])) for line in lines
               if line.startswith("tesela_tables{"))


def wait_until_empty(port: int):
    deadline = time.monotonic() + EMPTY_SECONDS_MAX
    while tables_in_memory(port) > 0:
        if time.monotonic() > deadline:
            raise processes.BenchError("tables stay in memory")
        time.sleep(0.5)
    time.sleep(SETTLE_SECONDS)


async def batch(port: int, games: int, clients: int, number: int) -> int:
    each = [Client(port, f"127.{number}.{client // 250}.{client % 250 + 1}")
            for client in range(clients)]
    return sum(await asyncio.gather(*(client.play(games // clients) for client in each)))


def tell(what: str, before: float, pid: int) -> float:
    """Prints a line. Returns the MiB of RAM."""
    resident = resident_mib(pid)
    print(f"{what}: {before:.1f} MiB, all left {resident:.1f}", flush=True)
    return resident


def stand(arguments: argparse.Namespace, port: int, process: subprocess.Popen):
    """Many tables at the same time, at which nobody plays."""
    with processes.loading(arguments.build, port, process, "--idle", "--duration", "1",
                           "--tables", str(arguments.standing)) as rest:
        highest = resident_mib(process.pid)
        rest()
    wait_until_empty(port)
    tell(f"{arguments.standing} tables", highest, process.pid)


def run(arguments: argparse.Namespace) -> list[float]:
    """MiB of RAM after each batch."""
    resident = []
    with processes.tesela_server(arguments.build, *OPEN_DOORS,
                                 *arguments.option) as (port, process):
        print(f"at the start: {resident_mib(process.pid):.1f} MiB")
        if arguments.standing:
            stand(arguments, port, process)
        for number in range(1, arguments.batches + 1):
            began = time.monotonic()
            moves = asyncio.run(batch(port, arguments.games, arguments.clients, number))
            seconds = time.monotonic() - began
            playing = resident_mib(process.pid)
            wait_until_empty(port)
            resident.append(tell(f"batch {number}, {arguments.games} games, {moves} moves in "
                                 f"{seconds:.0f} s", playing, process.pid))
    return resident


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--standing", type=int, default=8000, help="tables at the same time")
    parser.add_argument("--batches", type=int, default=4)
    parser.add_argument("--games", type=int, default=20_000, help="of each batch")
    parser.add_argument("--clients", type=int, default=100, help="that play at the same time")
    parser.add_argument("--option", action="append", default=[], help="one more of the server's")
    parser.add_argument("--growth-max", type=float, default=0,
                        help="MiB from the last batch but one to the last; 0: any is good")
    arguments = parser.parse_args()
    try:
        resident = run(arguments)
    except processes.BenchError as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1
    growth = resident[-1] - resident[-2] if len(resident) > 1 else 0.0
    print(f"from the last batch but one to the last {growth:+.1f} MiB")
    return 1 if arguments.growth_max and growth > arguments.growth_max else 0


if __name__ == "__main__":
    sys.exit(main())
