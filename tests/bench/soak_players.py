"""Players of 2048 who remember what was acknowledged to them, and ask for it afterwards. Each comes
from an address of its own, since the limits of an address hold for players too."""

import asyncio
import base64
import collections
import contextlib
import dataclasses
import json
import multiprocessing
import os
import time

from lobby import SERVICE

TABLES_OF_PLAYER = 10
ANSWER_SECONDS_MAX = 30
RETRY_SECONDS = 1.0
REFUSED_FOR_NOW = {"REASON_BUSY", "REASON_RATE_LIMITED", "REASON_STORE_UNAVAILABLE"}
MOVE = "type.googleapis.com/tesela.game.v1.Game2048Move"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Disconnected(Exception):
    """The stream has ended."""


@dataclasses.dataclass
class Figures:
    """What the players saw, since they were asked last."""

    acknowledged: int = 0
    refused: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    reconnects: int = 0
    games: int = 0
    waits: list[float] = dataclasses.field(default_factory=list)  # seconds, of each move
    lost: list[str] = dataclasses.field(default_factory=list)  # what was lost, in sentences


async def post(port: int, source: str, method: str, request: dict, token: str = "") -> dict:
    """A unary call of the lobby; again while the server has too much to do."""
    body = json.dumps(request).encode()
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    head = (f"POST /{SERVICE}/{method} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{bearer}"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n")
    while True:
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                reader, writer = await asyncio.open_connection("127.0.0.1", port,
                                                               local_addr=(source, 0))
                with contextlib.closing(writer):
                    writer.write(head.encode() + body)
                    answer = await reader.read()
            status, _, rest = answer.partition(b"\r\n")
            if b" 200 " in status:
                return json.loads(rest.partition(b"\r\n\r\n")[2])
        await asyncio.sleep(RETRY_SECONDS)


class Stream:
    """A stream of a table in JSON."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int, source: str, table: str, hello: dict) -> "Stream":
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write((f"GET /v1/tables/{table}/stream HTTP/1.1\r\nHost: localhost\r\n"
                      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                      f"Sec-WebSocket-Key: {key}\r\n"
                      "Sec-WebSocket-Protocol: tesela.v1.json\r\n\r\n").encode())
        stream = cls(reader, writer)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (OSError, asyncio.IncompleteReadError) as error:
            stream.drop()
            raise Disconnected from error
        if b" 101 " not in head.partition(b"\r\n")[0]:
            stream.drop()
            raise Disconnected
        stream.send({"hello": hello})
        return stream

    def send(self, frame: dict):
        self._send(TEXT, json.dumps(frame).encode())

    def _send(self, code: int, payload: bytes):
        size = len(payload)
        head = bytes([0x80 | code])
        head += bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self._writer.write(head + bytes(4) + payload)

    async def next(self) -> dict:
        """The next frame of the protocol. Disconnected when none comes."""
        try:
            while True:
                code, size = await self._reader.readexactly(2)
                if size >= 126:
                    size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8),
                                          "big")
                payload = await self._reader.readexactly(size)
                if code & 0xf == TEXT:
                    return json.loads(payload)
                if code & 0xf == PING:
                    self._send(PONG, payload)
                if code & 0xf == CLOSE:
                    raise Disconnected
        except (OSError, asyncio.IncompleteReadError) as error:
            raise Disconnected from error

    def drop(self):
        self._writer.close()


class Table:
    """One table of one player, from its first move to its end."""

    def __init__(self, port: int, source: str, token: str, table: str, figures: Figures):
        self._port = port
        self._source = source
        self._token = token
        self.id = table
        self.figures = figures
        self.acknowledged = 1  # the highest version
        self._next = 0  # the number of the next move
        self._pending: tuple[dict, float] | None = None
        self.over = False
        self._legal: list[str] = []

    async def play(self, pace_seconds: float):
        """To the end of the game."""
        while not self.over:
            try:
                async with asyncio.timeout(ANSWER_SECONDS_MAX):
                    stream = await Stream.open(self._port, self._source, self.id,
                                               {"token": self._token})
                with contextlib.closing(_Dropped(stream)):
                    await self._follow(stream, pace_seconds)
            except (Disconnected, OSError, TimeoutError):
                self.figures.reconnects += 1
                await asyncio.sleep(RETRY_SECONDS)

    async def _follow(self, stream: Stream, pace_seconds: float):
        """Moves at the pace, and again what was not answered when the stream before it ended."""
        welcomed = False
        while not self.over:
            if welcomed and self._pending is None and self._legal:
                await asyncio.sleep(pace_seconds)
                self._move(stream)
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                frame = await stream.next()
            if "goodbye" in frame:
                raise Disconnected
            if refusal := frame.get("refusal"):
                await self._refused(stream, refusal)
            if welcome := frame.get("welcome"):
                self._expect(int(welcome.get("version", 0)), "Welcome")
                welcomed = True
                if self._pending:
                    stream.send(self._pending[0])
            if snapshot := frame.get("snapshot"):
                self._show(snapshot["view"], snapshot)
            if event := frame.get("event") or frame.get("moveRepeated", {}).get("event"):
                self._acknowledge(event)

    def _expect(self, version: int, where: str):
        if version < self.acknowledged:
            self.figures.lost.append(f"table {self.id}: {where} is at version {version}, and "
                                      f"{self.acknowledged} was acknowledged")

    def _show(self, view: dict, frame: dict):
        self._legal = view.get("legal", [])
        self.over = "result" in frame

    def _move(self, stream: Stream):
        direction = self._legal[self._next % len(self._legal)]
        self._pending = ({"move": {"moveId": f"m{self._next}",
                                   "atVersion": str(self.acknowledged),
                                   "body": {"@type": MOVE, "direction": direction}}},
                         time.monotonic())
        self._next += 1
        stream.send(self._pending[0])

    async def _refused(self, stream: Stream, refusal: dict):
        reason = refusal.get("reason", "")
        self.figures.refused[reason] += 1
        if self._pending and reason in REFUSED_FOR_NOW:
            await asyncio.sleep(RETRY_SECONDS)
            stream.send(self._pending[0])
        else:
            self.figures.lost.append(f"table {self.id}: a legal move was refused: {refusal}")
            self._pending = None

    def _acknowledge(self, event: dict):
        version = int(event["version"])
        if version <= self.acknowledged:  # of a move that was sent again, and known already
            return
        if version != self.acknowledged + 1:
            self.figures.lost.append(f"table {self.id}: version {version} follows "
                                      f"{self.acknowledged}")
        self.acknowledged = version
        if self._pending and event.get("moveId") == self._pending[0]["move"]["moveId"]:
            self.figures.acknowledged += 1
            self.figures.waits.append(time.monotonic() - self._pending[1])
            self._pending = None
        self._show(event["body"]["view"], event)

    async def check(self):
        """Asks, as somebody who was never there, at which version the table is."""
        while True:
            with contextlib.suppress(Disconnected, OSError, TimeoutError):
                async with asyncio.timeout(ANSWER_SECONDS_MAX):
                    stream = await Stream.open(self._port, self._source, self.id, {})
                    with contextlib.closing(_Dropped(stream)):
                        while "snapshot" not in (frame := await stream.next()):
                            if "goodbye" in frame:
                                raise Disconnected
                    return self._expect(int(frame["snapshot"]["version"]), "Snapshot")
            await asyncio.sleep(RETRY_SECONDS)


class _Dropped:
    def __init__(self, stream: Stream):
        self.close = stream.drop


class Players:
    def __init__(self, port: int, tables: int, rate: float):
        self._port = port
        self._tables = tables
        self._pace = 1 / rate
        self._figures = Figures()
        self._playing: dict[int, Table] = {}

    async def _player(self, number: int, seats: list[int]):
        source = f"127.0.1.{1 + number}"
        token = (await post(self._port, source, "SignIn", {"displayName": "Soak"}))["token"]
        await asyncio.gather(*(self._games(source, token, seat) for seat in seats))

    async def _games(self, source: str, token: str, seat: int):
        while True:
            made = await post(self._port, source, "CreateTable", {"game": "2048"}, token)
            table = Table(self._port, source, token, made["table"]["tableId"], self._figures)
            self._playing[seat] = table
            await table.play(self._pace)
            await table.check()
            self._figures.games += 1

    def take(self) -> Figures:
        taken = self._figures
        self._figures = Figures()
        for table in self._playing.values():
            table.figures = self._figures
        return taken

    async def run(self, pipe):
        """Answers each message of the pipe with the figures since the last; None ends it."""
        loop = asyncio.get_running_loop()
        seats = list(range(self._tables))
        tasks = [asyncio.create_task(self._player(number, seats[first:first + TABLES_OF_PLAYER]))
                 for number, first in enumerate(range(0, self._tables, TABLES_OF_PLAYER))]
        while await loop.run_in_executor(None, pipe.recv):
            for task in tasks:
                if task.done():
                    task.result()
            pipe.send(self.take())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(table.check() for table in self._playing.values()))
        pipe.send(self.take())


def _work(pipe, port: int, tables: int, rate: float):
    asyncio.run(Players(port, tables, rate).run(pipe))


class Playing:
    """Players in a process of their own."""

    def __init__(self, port: int, tables: int, rate: float):
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, port, tables, rate))
        self._process.start()
        theirs.close()

    def _ask(self, goes_on: bool) -> Figures:
        self._pipe.send(goes_on)
        while not self._pipe.poll(1):
            if self._process.exitcode is not None:
                raise RuntimeError("the players ended without a report")
        return self._pipe.recv()

    def figures(self) -> Figures:
        """Since the last time."""
        return self._ask(True)

    def end(self) -> Figures:
        """Since the last time, and what was found when the tables were asked."""
        return self._ask(False)

    def __enter__(self) -> "Playing":
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.join()
