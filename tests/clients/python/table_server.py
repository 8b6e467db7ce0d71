"""A table at the other end of a real socket, that a test plays frame by frame."""

import asyncio
from typing import Self

from aiohttp import WSMsgType, web
from google.protobuf.message import Message

from tesela.play.v1.play_pb2 import (ClientFrame, Event, Goodbye, Hint, MoveRepeated, Pong,
                                     Refusal, ServerFrame, Snapshot, Welcome)

_FIELDS = {Welcome: "welcome", Snapshot: "snapshot", Event: "event", Hint: "hint", Pong: "pong",
           MoveRepeated: "move_repeated", Refusal: "refusal", Goodbye: "goodbye"}


class Line:
    """One stream of a client."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket

    async def next(self) -> ClientFrame:
        """The next frame of the client; raises EOFError when it has left."""
        async with asyncio.timeout(20):
            message = await self._socket.receive()
        if message.type != WSMsgType.BINARY:
            raise EOFError
        return ClientFrame.FromString(message.data)

    async def say(self, *frames: Message) -> None:
        """Sends frames, each by its message."""
        for frame in frames:
            whole = ServerFrame()
            getattr(whole, _FIELDS[type(frame)]).CopyFrom(frame)
            await self._socket.send_bytes(whole.SerializeToString())

    async def raw(self, data: bytes) -> None:
        """Sends bytes that are no frame."""
        await self._socket.send_bytes(data)

    async def welcome(self, version: int, epoch: int = 0) -> None:
        """The answer to a client without a version: a position follows."""
        await self.say(Welcome(game="a game", version=version, epoch=epoch),
                       Snapshot(version=version))

    async def cut(self) -> None:
        """Ends the line."""
        await self._socket.close()


class TableServer:
    """Used with `async with`."""

    def __init__(self) -> None:
        self.url = ""
        self._lines: asyncio.Queue[Line] = asyncio.Queue()
        self._over = asyncio.Event()
        app = web.Application()
        app.router.add_get("/v1/tables/{id}/stream", self._stream)
        self._runner = web.AppRunner(app)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, shutdown_timeout=0.1)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._over.set()
        await self._runner.cleanup()

    async def line(self) -> Line:
        """The next stream that a client opens."""
        async with asyncio.timeout(20):
            return await self._lines.get()

    @property
    def waiting(self) -> int:
        """How many streams were opened that no test has asked for."""
        return self._lines.qsize()

    async def _stream(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(protocols=("tesela.v1.proto",))
        await socket.prepare(request)
        self._lines.put_nowait(Line(socket))
        await self._over.wait()
        return socket
