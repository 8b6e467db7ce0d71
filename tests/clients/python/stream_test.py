"""The stream against a table at the other end of a real socket."""

import asyncio
import time
import unittest
from collections.abc import Awaitable
from dataclasses import replace
from typing import TypeVar

from table_server import Line, TableServer

from tesela import Change, Limits, Listener, Refused, Table
from tesela.game.v1.g2048_pb2 import DIRECTION_LEFT, Game2048Move
from tesela.play.v1 import play_pb2
from tesela.play.v1.play_pb2 import (Event, Goodbye, Hint, Move, MoveRepeated, Pong, Refusal,
                                     Welcome)
from tesela.session import Session

QUICK = Limits(upgrade_max=10, welcome_max=10, ping_every=60, pong_max=0.5, backoff_first=0.01,
               backoff_max=0.04, resend_after=0.01, resends_max=2, ask_every=0.03,
               older_owners_max=3)
SLOW_RETRY = replace(QUICK, backoff_first=60, backoff_max=60)
MOVE = Game2048Move(direction=DIRECTION_LEFT)
Value = TypeVar("Value")


async def read(table: Table) -> None:
    """Reads until it is cancelled."""
    async for _ in table.events():
        pass


class Stream(unittest.IsolatedAsyncioTestCase):
    """A table, its stream and the server's side of it."""

    async def asyncSetUp(self) -> None:
        self.server = await self.enterAsyncContext(TableServer())
        self.seen: list[str] = []

    async def open(self, limits: Limits = QUICK) -> Table:
        """A table whose line the test has not answered yet."""
        session = Session(self.server.url, {}, lambda: None, limits)
        table = Table(session, "a table", "", "the invitation",
                      Listener(link=lambda link: self.seen.append(link.phase)))
        self.addAsyncCleanup(session.close)
        self.addAsyncCleanup(table.close)
        return table

    async def live(self, limits: Limits = QUICK, epoch: int = 0) -> tuple[Table, Line]:
        """A table that has been welcomed at version 7."""
        table = await self.open(limits)
        line = await self.server.line()
        self.hello = (await line.next()).hello
        await line.welcome(7, epoch)
        await self.next(table, 7)
        return table, line

    async def next(self, table: Table, version: int) -> Change:
        """Waits until the table has this version."""
        async with asyncio.timeout(20):
            while not table.now or table.now.version != version:
                await asyncio.sleep(0.002)
        return table.now

    async def within(self, answer: Awaitable[Value]) -> Value:
        """Waits for it, but not for ever."""
        async with asyncio.timeout(20):
            return await answer

    async def refused(self, answer: Awaitable[object], reason: str) -> None:
        """Waits for a refusal."""
        with self.assertRaises(Refused) as raised:
            await self.within(answer)
        self.assertEqual(reason, raised.exception.reason)

    async def play(self, table: Table, line: Line) -> tuple[asyncio.Task[Event], Move]:
        """A move that is in flight, and as the server got it."""
        played = asyncio.create_task(table.play(MOVE))
        self.addCleanup(played.cancel)
        return played, (await line.next()).move

    async def test_hello_has_no_version_at_first_and_the_invitation(self) -> None:
        await self.live()
        self.assertEqual((0, "the invitation"), (self.hello.last_version, self.hello.invite))

    async def test_a_move_that_was_played_before_the_line_broke_is_confirmed_once(self) -> None:
        table, line = await self.live()
        events = table.events()
        self.assertEqual("position", (await anext(events)).kind)
        played, move = await self.play(table, line)
        self.assertEqual(7, move.at_version)
        await line.cut()
        line = await self.server.line()
        self.assertEqual(7, (await line.next()).hello.last_version)
        await line.say(Welcome(version=8, resumed=True), Event(version=8, move_id=move.move_id))
        self.assertEqual(move, (await line.next()).move)
        repeated = Event(version=8, move_id=move.move_id)
        await line.say(MoveRepeated(event=repeated), repeated, Event(version=9))
        self.assertEqual(8, (await self.within(played)).version)
        self.assertEqual([8, 9], [(await anext(events)).version for _ in range(2)])

    async def test_a_move_that_a_snapshot_holds_is_confirmed_by_move_repeated(self) -> None:
        table, line = await self.live()
        played, move = await self.play(table, line)
        await line.cut()
        line = await self.server.line()
        await line.next()
        await line.welcome(900)
        await line.next()
        await line.say(MoveRepeated(event=Event(version=8, move_id=move.move_id)))
        self.assertEqual(8, (await self.within(played)).version)

    async def test_move_repeated_ahead_of_its_event_waits_for_the_event(self) -> None:
        table, line = await self.live()
        played, move = await self.play(table, line)
        event = Event(version=8, move_id=move.move_id, strategy="whole")
        await line.say(MoveRepeated(event=Event(version=8, move_id=move.move_id)), event)
        self.assertEqual(event, await self.within(played))

    async def test_a_busy_table_gets_the_same_move_again_and_then_gives_it_back(self) -> None:
        table, line = await self.live()
        played, move = await self.play(table, line)
        busy = Refusal(move_id=move.move_id, reason=play_pb2.REASON_STORE_UNAVAILABLE)
        for _ in range(QUICK.resends_max):
            await line.say(busy)
            self.assertEqual(move, (await line.next()).move)
        await line.say(busy)
        await self.refused(played, "STORE_UNAVAILABLE")

    async def test_a_second_move_is_busy_until_the_first_is_answered(self) -> None:
        table, line = await self.live()
        played, move = await self.play(table, line)
        await self.refused(table.play(MOVE), "BUSY")
        played.cancel()  # Whoever waits no more has not taken the move back.
        await asyncio.sleep(0)
        await self.refused(table.play(MOVE), "BUSY")
        await line.say(Event(version=8, move_id=move.move_id))
        await self.next(table, 8)
        _, second = await self.play(table, line)
        self.assertEqual(8, second.at_version)

    async def test_after_a_gap_it_asks_for_the_whole_position(self) -> None:
        table, line = await self.live()
        await line.say(Event(version=7), Event(version=9))
        line = await self.server.line()
        self.assertEqual(0, (await line.next()).hello.last_version)
        self.assertEqual(7, table.now.version if table.now else 0)

    async def test_a_server_that_has_lost_the_table_is_left(self) -> None:
        table, line = await self.live(epoch=5)
        played, move = await self.play(table, line)
        await line.cut()
        line = await self.server.line()
        await line.next()
        await line.welcome(6, 4)
        with self.assertRaises(EOFError):
            await line.next()
        line = await self.server.line()
        self.assertEqual(7, (await line.next()).hello.last_version)
        await line.say(Welcome(version=8, resumed=True, epoch=6),
                       Event(version=8, move_id=move.move_id))
        self.assertEqual(8, (await self.within(played)).version)

    async def test_when_every_server_is_older_it_begins_anew(self) -> None:
        table, line = await self.live(epoch=5)
        await line.cut()
        for _ in range(QUICK.older_owners_max):
            line = await self.server.line()
            self.assertEqual(7, (await line.next()).hello.last_version)
            await line.welcome(3, 2)
        line = await self.server.line()
        self.assertEqual(0, (await line.next()).hello.last_version)
        await line.welcome(3, 2)
        await self.next(table, 3)

    async def test_an_answered_ping_keeps_the_line_and_a_silent_one_is_left(self) -> None:
        table, line = await self.live(replace(QUICK, ping_every=0.05))
        for _ in range(3):
            ping = (await line.next()).ping
            await line.say(Pong(nonce=ping.nonce, server_time_ms=5_000_000_000_000))
        await line.next()
        self.assertGreater(table.server_ahead_ms, 0)
        self.assertEqual(0, self.server.waiting)
        await (await self.server.line()).next()

    async def test_a_program_that_computes_for_long_does_not_lose_the_line(self) -> None:
        _, line = await self.live(replace(QUICK, ping_every=0.05))
        await line.say(Pong(nonce=(await line.next()).ping.nonce))
        await line.say(Pong(nonce=(await line.next()).ping.nonce))
        time.sleep(0.5)
        await line.say(Pong(nonce=(await line.next()).ping.nonce))
        self.assertEqual(0, self.server.waiting)

    async def test_who_accepts_and_says_nothing_is_left(self) -> None:
        await self.open(replace(QUICK, welcome_max=0.2))
        for _ in range(2):
            await (await self.server.line()).next()

    async def test_bytes_that_are_no_frame_end_the_line_not_the_stream(self) -> None:
        _, line = await self.live()
        await line.raw(b"\xff\xff\xff")
        line = await self.server.line()
        self.assertEqual(7, (await line.next()).hello.last_version)

    async def test_goodbye_says_when_to_come_back(self) -> None:
        _, line = await self.live()
        left = time.monotonic()
        await line.say(Goodbye(reason=play_pb2.REASON_SERVER_RESTART, reconnect=True,
                               reconnect_after_ms=150))
        await self.server.line()
        self.assertGreaterEqual(time.monotonic() - left, 0.15)

    async def test_a_table_that_moves_is_followed_at_once(self) -> None:
        _, line = await self.live(SLOW_RETRY)
        await line.say(Goodbye(reason=play_pb2.REASON_TABLE_MOVED, reconnect=True))
        await self.server.line()

    async def test_retry_now_does_not_wait(self) -> None:
        table, line = await self.live(SLOW_RETRY)
        await line.cut()
        async with asyncio.timeout(20):
            while table.link.phase != "waiting":
                await asyncio.sleep(0.01)
        table.retry_now()
        await self.server.line()

    async def test_goodbye_for_good_gives_the_move_back_and_ends_the_readers(self) -> None:
        table, line = await self.live()
        events = table.events()
        await anext(events)
        played, _ = await self.play(table, line)
        await line.say(Goodbye(reason=play_pb2.REASON_REMOVED))
        for answer in (played, anext(events), table.play(MOVE)):
            await self.refused(answer, "REMOVED")
        self.assertEqual("ended", self.seen[-1])

    async def test_a_question_that_came_too_soon_is_asked_again(self) -> None:
        table, line = await self.live()
        asked = asyncio.create_task(table.hint("uct"))
        request = (await line.next()).hint_request
        await self.refused(table.hint(), "BUSY")
        await line.say(Refusal(move_id=request.hint_id, reason=play_pb2.REASON_RATE_LIMITED))
        self.assertEqual(request, (await line.next()).hint_request)
        await line.say(Hint(hint_id="of somebody else"),
                       Hint(hint_id=request.hint_id, strategy="uct"))
        self.assertEqual("uct", (await self.within(asked)).strategy)

    async def test_a_question_is_moot_when_somebody_moves_or_the_line_breaks(self) -> None:
        table, line = await self.live()
        for trouble in (line.say(Event(version=8)), line.cut()):
            asked = asyncio.create_task(table.hint())
            await line.next()
            await trouble
            await self.refused(asked, "STALE")

    async def test_a_reader_that_is_far_behind_gets_a_position(self) -> None:
        table, line = await self.live()
        events = table.events()
        for version in range(8, 1200):
            await line.say(Event(version=version))
        await self.next(table, 1199)
        behind = await anext(events)
        self.assertEqual("position", behind.kind)
        self.assertGreater(behind.version, 1000)
        self.assertEqual(behind.version + 1, (await anext(events)).version)

    async def test_readers_that_leave_are_forgotten(self) -> None:
        table, line = await self.live()
        async for _ in table.events():
            break
        reader = asyncio.create_task(read(table))
        await asyncio.sleep(0.01)
        reader.cancel()
        await asyncio.sleep(0.01)
        await line.say(Event(version=8))
        await self.next(table, 8)
        _, move = await self.play(table, line)
        self.assertEqual(8, move.at_version)

    async def test_what_a_listener_raises_is_not_lost(self) -> None:
        table, line = await self.live()
        events = table.events()
        await anext(events)

        def fail(_: object) -> None:
            raise ZeroDivisionError

        object.__setattr__(table, "_listener", Listener(clocks=fail))
        await line.say(Event(version=8, clocks=play_pb2.Clocks(now_ms=1)))
        with self.assertRaises(ZeroDivisionError):
            await self.within(anext(events))


if __name__ == "__main__":
    unittest.main()
