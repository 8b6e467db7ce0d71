"""One connection of an abuser, and what the server makes of it."""

import asyncio
import collections
import contextlib
import re

CONNECT_SECONDS_MAX = 5
STATUS = re.compile(rb"HTTP/1\.1 (\d{3})")
GOODBYE = re.compile(rb'"goodbye":\{"reason":"REASON_(\w+)"')
SPLIT_MAX = 64  # bytes kept of what came last, since an answer may come in two pieces
KEPT_MAX = 64 * 1024  # bytes in which `found` looks


class Line(asyncio.Protocol):
    """A TCP connection that remembers how it was answered."""

    def __init__(self):
        self.lost = asyncio.get_running_loop().create_future()
        self.answers: collections.Counter[str] = collections.Counter()
        self.sent = 0
        self.transport: asyncio.Transport | None = None
        self._news = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._last = b""
        self._kept: bytes | None = None  # none: nobody looks

    @classmethod
    async def open(cls, port: int, source: str) -> "Line":
        """Connects from the address `source`. An OSError or a TimeoutError when that fails."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_SECONDS_MAX):
            _, line = await loop.create_connection(cls, "127.0.0.1", port, local_addr=(source, 0))
        return line

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data: bytes):
        self.note(self._last + data, len(self._last))
        self._last = (self._last + data)[-SPLIT_MAX:]
        if self._kept is not None:
            self._kept = (self._kept + data)[-KEPT_MAX:]
        self._news.set()

    def note(self, data: bytes, known: int):
        """Counts the answers in `data` that end behind the first `known` bytes."""
        for pattern, name in ((STATUS, "HTTP "), (GOODBYE, "goodbye ")):
            for found in pattern.finditer(data):
                if found.end() > known:
                    self.answers[name + found[1].decode()] += 1

    def pause_writing(self):
        self._writable.clear()

    def resume_writing(self):
        self._writable.set()

    def connection_lost(self, exc: Exception | None):
        self._writable.set()
        self._news.set()
        if not self.lost.done():
            self.lost.set_result("reset" if isinstance(exc, ConnectionError) else "closed")

    @property
    def is_over(self) -> bool:
        return self.lost.done()

    async def send(self, data: bytes):
        """Returns when there is room for more, or the connection is over."""
        if self.is_over or self.transport.is_closing():
            return
        self.sent += len(data)
        self.transport.write(data)
        await self._writable.wait()

    async def trickle(self, data: bytes, pause_seconds: float):
        """Byte by byte."""
        for byte in data:
            if self.is_over:
                return
            await self.send(bytes([byte]))
            await self.wait(pause_seconds)

    async def flood(self, data: bytes):
        """Again and again, as fast as it is taken, until the connection is over."""
        while not self.is_over:
            await self.send(data)
            await asyncio.sleep(0)

    async def wait(self, seconds: float):
        """Until the connection is over, for so long at most."""
        await asyncio.wait([self.lost], timeout=seconds)

    async def answered(self, seconds: float = 10):
        """Until something comes, or the connection is over."""
        self._news.clear()
        if not self.is_over:
            with contextlib.suppress(TimeoutError):
                # Not wait_for: in Python 3.11 it loses a cancellation that comes with the news.
                async with asyncio.timeout(seconds):
                    await self._news.wait()

    async def ask(self, data: bytes, pattern: re.Pattern, seconds: float = 10) -> str:
        """Sends, and returns the group of `pattern` in what comes then; empty when it does not."""
        self._kept = b""
        await self.send(data)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.is_over and not pattern.search(self._kept):
                    self._news.clear()
                    await self._news.wait()
        found = pattern.search(self._kept)
        self._kept = None
        return (found[1] or b"").decode() if found else ""

    def stop_reading(self):
        self.transport.pause_reading()

    def outcome(self) -> collections.Counter[str]:
        """What was answered, apart from upgrades; how it ended, when nothing was."""
        answers = +self.answers
        answers.pop("HTTP 101", None)
        if not answers:
            answers[self.lost.result() if self.is_over else "left open"] += 1
        return answers

    def drop(self):
        if self.transport and not self.is_over:
            self.transport.abort()
