"""One table: what happens there, in order and once; moves that are confirmed or refused."""

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote
from weakref import WeakSet

from google.protobuf.message import Message

from tesela import board
from tesela.errors import CallFailed, Refused, busy, reason_name
from tesela.feed import Change, Feed, position
from tesela.games import pack, unpack
from tesela.lobby.v1.contribute_pb2 import ContributeRequest, ContributeResponse
from tesela.play.v1.claim_pb2 import CLAIM_WISH_BOT, CLAIM_WISH_RESIGNATION, Claim
from tesela.play.v1.contribution_pb2 import CONTRIBUTION_STATE_AWAITED
from tesela.play.v1.course_pb2 import Resign, Resigned, Undo, Undone
from tesela.play.v1.play_pb2 import (ClientFrame, Clocks, Event, Hello, Hint, Refusal, Seating,
                                     ServerFrame, Snapshot, Welcome)
from tesela.play.v1.talk_pb2 import Mute, Phrase, Said, Say
from tesela.session import LOBBY, Session
from tesela.stream import Link, TableStream

_CONTRIBUTION_BYTES = 16
_WISHES = {"RESIGNATION": CLAIM_WISH_RESIGNATION, "BOT": CLAIM_WISH_BOT}


@dataclass(frozen=True, kw_only=True)
class Listener:
    """Functions that hear what a table tells beside the game. What they raise ends the stream."""

    link: Callable[[Link], object] = lambda _: None
    seating: Callable[[Seating], object] = lambda _: None
    clocks: Callable[[Clocks], object] = lambda _: None
    said: Callable[[Said], object] = lambda _: None
    #: What an operator tells everybody, and until when (Unix time in milliseconds; 0: until there
    #: is something else). Empty when nothing is announced any more.
    announced: Callable[[str, int], object] = lambda _, __: None
    #: What was said was not accepted.
    unsaid: Callable[[Refused], object] = lambda _: None


@dataclass(frozen=True)
class _ClaimInFlight:
    claim_id: str
    seat: int
    answer: asyncio.Future[Seating | Event]


class Table:
    """Tables are opened by Tesela: create, join, watch, find, daily."""

    def __init__(self, session: Session, table_id: str, game: str, invite: str,
                 listener: Listener | None) -> None:
        self.id = table_id
        #: The game's name; of a table that is joined or watched, empty until the first line
        #: stands.
        self.game = game
        #: A message such as AzulConfig, once the first line stands.
        self.config: Any = None
        self.link = Link("connecting")
        #: Who sits where, and the caller's seat; None until the first line stands.
        self.seating: Seating | None = None
        #: What binds the server to the dice: `verify` compares the record with it.
        self.commitment = b""
        #: What this client has added to the dice.
        self.contribution = b""
        self.clocks: Clocks | None = None
        #: The newest change; None while the game has not begun.
        self.now: Change | None = None
        #: The server's time is the client's plus so many milliseconds.
        self.server_ahead_ms = 0
        self._session = session
        self._listener = listener or Listener()
        self._feeds: WeakSet[Feed] = WeakSet()  # A reader that leaves its loop is forgotten.
        self._claim: _ClaimInFlight | None = None
        self._announced = ""
        # The version of the change that was read last; the newest where nobody reads.
        self._read = 0
        self._contributing: asyncio.Task[None] | None = None
        # Why the stream has ended; None as well where this client has closed it.
        self._failure: Exception | None = None
        self._stream = TableStream(
            session.http, f"{session.url}/v1/tables/{quote(table_id, safe='')}/stream",
            lambda: Hello(token=session.player.token if session.player else "", invite=invite),
            self._link_changed, self._told, session.limits)
        self._running = asyncio.create_task(self._run())

    def __str__(self) -> str:
        """The board as text."""
        return board.drawn(self.now) if self.now else f"{self.id}: the game has not begun."

    @property
    def seat(self) -> int | None:
        """The caller's seat; None for a spectator."""
        seating = self.seating
        return seating.seat if seating and seating.HasField("seat") else None

    @property
    def may_move(self) -> bool:
        """Whether the caller may move now, and has read what happened last."""
        if not self.now or not self.seating or self.seating.waiting or self._stream.awaits_move:
            return False
        return self.now.version == self._read and self.seat in self.now.turn

    def events(self) -> AsyncGenerator[Change, None]:
        """What happens, from the position as it is now on: each version once and in order, across
        cut lines and servers that come and go. Ends with the game, and with `close`. Raises
        Refused when the server ends the stream for good, with its reason. A reader that is far
        behind is given a 'position' instead of what it missed."""
        feed = Feed()
        self._feeds.add(feed)
        if self.now:
            feed.put(position(self.now))
        if self.link.phase == "ended" or (self.now and self.now.result):
            feed.end(self._failure)
        return self._reading(feed)

    async def _reading(self, feed: Feed) -> AsyncGenerator[Change, None]:
        try:
            while change := await feed.next():
                self._read = change.version
                yield change
        finally:
            self._feeds.discard(feed)

    async def play(self, move: Message) -> Event:
        """Plays a move, a message of the game such as AzulMove (or an Any of it), as it was
        decided on the change that was read last. Returns the event when it is stored. Raises
        Refused when it is not accepted and was not played; STALE when something has happened
        since. A line that breaks meanwhile changes nothing: the move is sent again under its id,
        and played once. One move at a time: BUSY. A caller that is cancelled no longer hears of
        the move, which may still be played."""
        return await self._stream.play(pack(move), self._read)

    async def resign(self) -> Event:
        """Gives up."""
        return await self._stream.play(pack(Resign()), None)

    async def undo(self) -> Event:
        """Takes the last move back, at a table of one seat."""
        return await self._stream.play(pack(Undo()), self._read)

    async def hint(self, strategy: str = "") -> Hint:
        """What a strategy would play now; '' is the strongest. Raises Refused, STALE when somebody
        moves first."""
        return await self._stream.ask(strategy)

    async def claim(self, seat: int, wish: Literal["RESIGNATION", "BOT"]) -> Seating | Event:
        """Ends the wait for a player who is away: by a resignation, or by a bot that plays the
        seat."""
        if self._claim:
            raise busy("One claim at a time.")
        claim = Claim(claim_id=self._stream.new_id(), seat=seat, wish=_WISHES[wish])
        if not self._stream.send(ClientFrame(claim=claim)):
            raise busy("There is no line now.")
        answer = asyncio.get_running_loop().create_future()
        self._claim = _ClaimInFlight(claim.claim_id, seat, answer)
        try:
            return await self._claim.answer
        finally:
            self._claim = None

    def say(self, what: "str | Phrase") -> bool:
        """Says something, in own words or by a phrase. False without a line."""
        say = Say(text=what) if isinstance(what, str) else Say(phrase=what)
        return self._stream.send(ClientFrame(say=say))

    def mute(self, player_id: str, muted: bool = True) -> None:
        """Hears a player no more, or again, until the line drops."""
        self._stream.send(ClientFrame(mute=Mute(player_id=player_id, muted=muted)))

    def retry_now(self) -> None:
        """Comes back at once, where a line is down: the network is there again."""
        self._stream.hurry()

    async def close(self) -> None:
        """Leaves the stream. The seat stays the caller's."""
        tasks = [task for task in (self._running, self._contributing) if task]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        if self.link.phase != "ended":
            self._finish(Refused("CLOSED", "This client has left the table."))

    async def _run(self) -> None:
        try:
            await self._stream.run()
        except Exception as error:  # Also what a listener raised: it is told to all who wait.
            self._failure = error
            self._finish(error)
            if isinstance(error, Refused) and error.reason == "UNAUTHENTICATED":
                self._session.end()

    def _finish(self, why: Exception) -> None:
        for feed in self._feeds:
            feed.end(self._failure)
        self._stream.end(why)

    def _link_changed(self, link: Link) -> None:
        self.link = link
        if link.phase != "live" and self._claim and not self._claim.answer.done():
            self._claim.answer.set_exception(busy("The line has broken."))
        self._listener.link(link)

    def _told(self, frame: ServerFrame) -> None:
        match frame.WhichOneof("frame"):
            case "welcome":
                self._welcomed(frame.welcome)
            case "seating":
                self._seated(frame.seating)
            case "snapshot":
                self._positioned(frame.snapshot)
            case "event":
                self._happened(frame.event)
            case "clocks":
                self._clocked(frame.clocks)
            case "pong":
                self._timed(frame.pong.server_time_ms)
            case "said":
                self._listener.said(frame.said)
            case "announcement":
                self._announce(frame.announcement.text, frame.announcement.until_ms)
            case "refusal":
                self._refused(frame.refusal)

    def _welcomed(self, welcome: Welcome) -> None:
        self.game = welcome.game
        self.config = unpack(welcome.config)
        self.commitment = welcome.commitment
        self._timed(welcome.server_time_ms)
        if welcome.HasField("seating"):
            self._seated(welcome.seating)
        if self._announced:  # what is still announced comes next
            self._announce("", 0)

    def _announce(self, text: str, until_ms: int) -> None:
        self._announced = text
        self._listener.announced(text, until_ms)

    def _timed(self, server_time_ms: int) -> None:
        self.server_ahead_ms = server_time_ms - int(time.time() * 1000)

    def _clocked(self, clocks: Clocks) -> None:
        self.clocks = clocks
        self._listener.clocks(clocks)

    def _seated(self, seating: Seating) -> None:
        before, self.seating = self.seating, seating
        claim = self._claim
        if claim and _strategy(seating, claim.seat) and not _strategy(before, claim.seat):
            self._answer_claim(seating)
        if seating.waiting and not self._contributing:
            self._contributing = asyncio.create_task(self._contribute(seating))
        self._listener.seating(seating)

    async def _contribute(self, seating: Seating) -> None:
        """Adds to the dice, now that the server is bound to its own part."""
        try:
            own = (taken.contribution for taken in seating.seats if taken.seat == self.seat)
            if CONTRIBUTION_STATE_AWAITED in own:
                # The same bytes when it is asked for again: others would be refused.
                self.contribution = self.contribution or secrets.token_bytes(_CONTRIBUTION_BYTES)
                request = ContributeRequest(table_id=self.id, contribution=self.contribution)
                await self._session.call(f"{LOBBY}/Contribute", request, ContributeResponse)
        except (Refused, CallFailed):
            pass  # The next Seating asks again; without it the game begins after a while.
        finally:
            self._contributing = None

    def _refused(self, refusal: Refusal) -> None:
        why = Refused(reason_name(refusal.reason), refusal.message)
        if not refusal.move_id:
            self._listener.unsaid(why)
        elif self._claim and refusal.move_id == self._claim.claim_id:
            if not self._claim.answer.done():
                self._claim.answer.set_exception(why)

    def _answer_claim(self, answer: Seating | Event) -> None:
        if self._claim and not self._claim.answer.done():
            self._claim.answer.set_result(answer)

    def _positioned(self, snapshot: Snapshot) -> None:
        self._tell(Change(
            "position", snapshot.version, (), unpack(snapshot.view),
            snapshot.grid if snapshot.HasField("grid") else None, snapshot.turn.seats,
            snapshot.result if snapshot.HasField("result") else None, None),
            snapshot)

    def _happened(self, event: Event) -> None:
        body, before = unpack(event.body), self.now
        view = unpack(body.view) if isinstance(body, Undone) else getattr(body, "view", None)
        kind: Literal["move", "resigned", "undone"] = "move"
        if isinstance(body, (Resigned, Undone)):
            kind = "resigned" if isinstance(body, Resigned) else "undone"
        self._tell(Change(
            kind, event.version, getattr(body, "stages", ()),
            view or (before.view if before else None),
            event.grid.view if event.HasField("grid") else before.grid if before else None,
            event.turn.seats, event.result if event.HasField("result") else None, event),
            event)
        if kind == "resigned" and self._claim and event.seat == self._claim.seat:
            self._answer_claim(event)

    def _tell(self, change: Change, frame: Snapshot | Event) -> None:
        self.clocks = frame.clocks if frame.HasField("clocks") else None
        if self.clocks:
            self._listener.clocks(self.clocks)
        self.now = change
        if not self._feeds:
            self._read = change.version
        for feed in self._feeds:
            feed.put(change)
            if change.result:
                feed.end()


def _strategy(seating: Seating | None, seat: int) -> str:
    """Which strategy plays a seat; '' when a player does."""
    seats = seating.seats if seating else ()
    return next((taken.strategy for taken in seats if taken.seat == seat), "")
