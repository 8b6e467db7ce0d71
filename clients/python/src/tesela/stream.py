"""The stream of one table: opens it, comes back after a loss, sees a move through until it is
confirmed or given back, asks for advice. Knows no game."""

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, NoReturn

import aiohttp
from google.protobuf.any_pb2 import Any
from google.protobuf.message import DecodeError

from tesela.errors import Refused, busy, reason_name
from tesela.limits import Limits, backoff
from tesela.play.v1.play_pb2 import (ClientFrame, Event, Goodbye, Hello, Hint, Move, MoveRepeated,
                                     Ping, Refusal, ServerFrame, Snapshot, Welcome,
                                     REASON_BUSY, REASON_RATE_LIMITED, REASON_STORE_UNAVAILABLE,
                                     REASON_TABLE_MOVED)
from tesela.question import Question

SUB_PROTOCOL = "tesela.v1.proto"

# Refusals after which the same move is sent again.
_LATER = (REASON_BUSY, REASON_STORE_UNAVAILABLE, REASON_RATE_LIMITED)
_OUTBOX_MAX = 256
# For what has come while the program computed and is not read yet.
_UNREAD_S = 0.05


@dataclass(frozen=True)
class Link:
    """How the line stands. `retry_at`: Unix time in seconds, when it waits."""

    phase: Literal["connecting", "live", "waiting", "ended"]
    retry_at: float = 0.0
    reason: str = ""
    message: str = ""


class _ComeBack(Exception):
    """This line is left for another one, after so many seconds at least."""

    def __init__(self, after: float = 0.0, at_once: bool = False) -> None:
        super().__init__()
        self.after = after
        self.at_once = at_once


@dataclass(frozen=True)
class _MoveInFlight:
    """A move from the moment it is played until it is confirmed or given back."""

    move: Move
    stored: asyncio.Future[Event]


class TableStream:
    """Tells what it learns, in order: a version is never skipped and never told twice."""

    def __init__(self, http: aiohttp.ClientSession, url: str, hello: Callable[[], Hello],
                 linked: Callable[[Link], None], told: Callable[[ServerFrame], None],
                 limits: Limits) -> None:
        """`hello`: asked for the token and the invite at every line. `told` gets every frame that
        is news: no older version, nothing of a server that has lost the table."""
        self._http = http
        self._url = url
        self._hello = hello
        self._linked = linked
        self._told = told
        self._limits = limits
        self.link = Link("connecting")
        self.last_version = 0
        self._epoch = 0  # the highest that a Welcome has told
        self._older_owners = 0  # Welcomes in a row with a lower one
        self._in_flight: _MoveInFlight | None = None
        self._resends = 0
        self._resend: asyncio.TimerHandle | None = None
        self._attempt = 0
        self._nonce = 0
        self._outbox: asyncio.Queue[bytes] | None = None
        self._welcomed, self._ponged, self._hurried = (asyncio.Event() for _ in range(3))
        self._question = Question(lambda request: self.send(ClientFrame(hint_request=request)),
                                  limits)
        # Of this stream alone; the server stores ids that count in few bytes.
        self._name = secrets.token_hex(8)
        self._named = 0

    @property
    def awaits_move(self) -> bool:
        """Whether a move is in flight."""
        return self._in_flight is not None

    async def run(self) -> NoReturn:
        """Raises Refused when the server ends the stream for good."""
        while True:
            try:
                self._set_link(Link("connecting"))
                await self._line()
            except _ComeBack as back:
                wait = back.after
                if not back.at_once:
                    wait += backoff(self._attempt, self._limits)
                self._attempt += 1
                self._hurried.clear()
                self._set_link(Link("waiting", retry_at=time.time() + wait))
                await _set_within(self._hurried, wait)

    def end(self, why: Exception) -> None:
        """Gives back what is awaited; nothing is accepted any more. `run` has ended before."""
        reason = why.reason if isinstance(why, Refused) else "INTERNAL"
        self._give_back(why)
        self._set_link(Link("ended", reason=reason, message=str(why)))

    def hurry(self) -> None:
        """Comes back at once instead of waiting, and doubts a line that stands: unless a sign of
        life comes soon, it is given up."""
        self._hurried.set()

    async def play(self, body: Any, at_version: int | None) -> Event:
        """Plays a move at a version, or at any. Without a line it waits for the next. Raises
        Refused: BUSY while another move is in flight. A caller that is cancelled hears no more
        of the move, which stays in flight."""
        if self.link.phase == "ended":
            raise Refused(self.link.reason, self.link.message)
        if self._in_flight:
            raise busy("One move at a time.")
        move = Move(move_id=self.new_id(), at_version=at_version, body=body)
        stored: asyncio.Future[Event] = asyncio.get_running_loop().create_future()
        self._in_flight = _MoveInFlight(move, stored)
        self._resends = 0
        if self.link.phase == "live":
            self._send_move()
        return await stored

    async def ask(self, strategy: str) -> Hint:
        """What a strategy would play now. Raises Refused."""
        if self.link.phase != "live":
            raise busy("There is no line now.")
        return await self._question.ask(self.new_id(), strategy)

    def send(self, frame: ClientFrame) -> bool:
        """False without a line."""
        return self.link.phase == "live" and self._put(frame)

    def new_id(self) -> str:
        """An id that no other client chooses."""
        self._named += 1
        return f"{self._name}-{self._named}"

    async def _line(self) -> NoReturn:
        try:
            async with asyncio.timeout(self._limits.upgrade_max):
                socket = await self._http.ws_connect(self._url, protocols=(SUB_PROTOCOL,),
                                                     max_msg_size=0)
        except (aiohttp.ClientError, OSError, TimeoutError):
            raise _ComeBack from None
        self._welcomed.clear()
        outbox: asyncio.Queue[bytes] = asyncio.Queue(_OUTBOX_MAX)
        self._outbox = outbox
        hello = self._hello()
        hello.last_version = self.last_version
        self._put(ClientFrame(hello=hello))
        reader = asyncio.create_task(self._read(socket))
        alive = asyncio.create_task(self._keep_alive())
        tasks = [reader, alive, asyncio.create_task(self._write(socket, outbox))]
        try:
            # Not for the writer: of a line that breaks, a Goodbye may still be read.
            await asyncio.wait([reader, alive], return_when=asyncio.FIRST_COMPLETED)
            for task in (reader, alive):
                if task.done():
                    await task
            raise _ComeBack
        finally:
            self._outbox = None
            for task in tasks:
                task.cancel()
            if self._resend:
                self._resend.cancel()
            self._question.drop()
            await asyncio.gather(*tasks, return_exceptions=True)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._limits.close_max):
                    await socket.close()

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for message in socket:
            if message.type != aiohttp.WSMsgType.BINARY:
                return
            try:
                frame = ServerFrame.FromString(message.data)
            except DecodeError:
                return
            self._on_frame(frame)

    async def _write(self, socket: aiohttp.ClientWebSocketResponse,
                     outbox: asyncio.Queue[bytes]) -> None:
        with suppress(aiohttp.ClientError, ConnectionError):
            while True:
                await socket.send_bytes(await outbox.get())

    async def _keep_alive(self) -> None:
        """Returns when the server has given no sign of life in time."""
        alive = await _set_within(self._welcomed, self._limits.welcome_max)
        while alive:
            self._hurried.clear()
            await _set_within(self._hurried, self._limits.ping_every)
            self._ponged.clear()
            self._nonce += 1
            self._put(ClientFrame(ping=Ping(nonce=self._nonce)))
            alive = await _set_within(self._ponged, self._limits.pong_max)

    def _put(self, frame: ClientFrame) -> bool:
        if not self._outbox or self._outbox.full():
            return False
        self._outbox.put_nowait(frame.SerializeToString())
        return True

    def _set_link(self, link: Link) -> None:
        self.link = link
        self._linked(link)

    def _send_move(self) -> None:
        if self._in_flight:
            self._put(ClientFrame(move=self._in_flight.move))

    def _on_frame(self, frame: ServerFrame) -> None:
        match frame.WhichOneof("frame"):
            case "welcome":
                self._on_welcome(frame.welcome, frame)
            case "snapshot":
                self._on_snapshot(frame.snapshot, frame)
            case "event":
                self._on_event(frame.event, frame)
            case "move_repeated":
                self._on_move_repeated(frame.move_repeated)
            case "refusal":
                self._on_refusal(frame.refusal, frame)
            case "hint":
                self._question.answered(frame.hint)
            case "pong":
                # A line that has answered is a good line: a Welcome alone proves less.
                self._attempt = 0
                self._ponged.set()
                self._told(frame)
            case "goodbye":
                self._on_goodbye(frame.goodbye)
            case _:
                self._told(frame)

    def _on_welcome(self, welcome: Welcome, frame: ServerFrame) -> None:
        if self._is_older_owner(welcome.epoch):
            raise _ComeBack
        self._told(frame)
        self._set_link(Link("live"))
        self._welcomed.set()
        self._send_move()

    def _is_older_owner(self, epoch: int) -> bool:
        """Whether another server has taken the table over since, as this client knows."""
        if epoch == 0 or epoch >= self._epoch:
            self._epoch = epoch or self._epoch
            self._older_owners = 0
            return False
        self._older_owners += 1
        if self._older_owners == self._limits.older_owners_max:
            # The database was restored: what this client knows is of no table any more.
            self._epoch = self.last_version = self._older_owners = 0
        return True

    def _on_snapshot(self, snapshot: Snapshot, frame: ServerFrame) -> None:
        self._question.drop()
        self.last_version = snapshot.version
        self._told(frame)

    def _on_event(self, event: Event, frame: ServerFrame) -> None:
        if event.version <= self.last_version:
            return
        if event.version != self.last_version + 1:
            # A gap: what we know is worth nothing, so ask for the whole position.
            self.last_version = 0
            raise _ComeBack
        self._question.drop()
        self.last_version = event.version
        self._told(frame)
        self._confirm(event)

    def _on_move_repeated(self, repeated: MoveRepeated) -> None:
        # A version that is still on its way confirms the move when it arrives.
        if repeated.event.version <= self.last_version:
            self._confirm(repeated.event)

    def _confirm(self, event: Event) -> None:
        flight = self._in_flight
        if not flight or event.move_id != flight.move.move_id:
            return
        self._in_flight = None
        if self._resend:
            self._resend.cancel()
        if not flight.stored.done():
            flight.stored.set_result(event)

    def _on_refusal(self, refusal: Refusal, frame: ServerFrame) -> None:
        if self._question.refused(refusal):
            return
        if not self._in_flight or refusal.move_id != self._in_flight.move.move_id:
            self._told(frame)
        elif refusal.reason in _LATER and self._resends < self._limits.resends_max:
            wait = self._limits.resend_after * 2 ** self._resends
            self._resend = asyncio.get_running_loop().call_later(wait, self._send_move)
            self._resends += 1
        else:
            self._give_back(Refused(reason_name(refusal.reason), refusal.message))

    def _give_back(self, why: Exception) -> None:
        flight, self._in_flight = self._in_flight, None
        if flight and not flight.stored.done():
            flight.stored.set_exception(why)

    def _on_goodbye(self, goodbye: Goodbye) -> NoReturn:
        if not goodbye.reconnect:
            raise Refused(reason_name(goodbye.reason), goodbye.message)
        # Handed over by the server that had it. Others may say so again and again.
        moved = goodbye.reason == REASON_TABLE_MOVED and self.link.phase == "live"
        raise _ComeBack(goodbye.reconnect_after_ms / 1000, at_once=moved)


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    if not event.is_set():
        await asyncio.sleep(_UNREAD_S)
    return event.is_set()
