"""The package against a real server, in situations in which programs and players are wrong.
TESELA_URL has its address."""

import asyncio
import json
import os
import tempfile
import time
import unittest
from collections.abc import Awaitable

from tesela import Change, FileStore, Refused, Table, Tesela, verify
from tesela.account.v1.account_pb2 import EndSessionRequest, EndSessionResponse
from tesela.game.v1.azul_pb2 import AzulMove
from tesela.game.v1.g2048_pb2 import Game2048Move, Game2048View
from tesela.lobby.v1.lobby_pb2 import TABLE_STATE_IN_PLAY, TableFilter

URL = os.environ["TESELA_URL"]


def legal(change: Change) -> Game2048Move:
    """The first legal move of 2048."""
    view: Game2048View = change.view
    return Game2048Move(direction=view.legal[0])


class Situations(unittest.IsolatedAsyncioTestCase):
    """One player, and a table of 2048 where one is needed."""

    async def connect(self, **options: object) -> Tesela:
        """A new player."""
        tesela = await Tesela.connect(URL, name="Ada", **options)  # type: ignore[arg-type]
        self.addAsyncCleanup(tesela.close)
        return tesela

    async def refused(self, answer: Awaitable[object], *reasons: str) -> None:
        """Waits for a refusal."""
        with self.assertRaises(Refused) as raised:
            async with asyncio.timeout(30):
                await answer
        self.assertIn(raised.exception.reason, reasons)
        self.assertRegex(str(raised.exception), r"\.$")

    async def test_what_a_table_does_not_accept_is_refused_and_the_game_goes_on(self) -> None:
        table = await (await self.connect()).create("2048")
        events = table.events()
        first = await anext(events)
        self.assertIn("·", str(table))
        view: Game2048View = first.view
        illegal = ({1, 2, 3, 4} - set(view.legal)).pop() if len(view.legal) < 4 else 0
        await self.refused(table.play(Game2048Move(direction=illegal)),  # type: ignore[arg-type]
                           "ILLEGAL_MOVE", "MALFORMED")
        await self.refused(table.play(AzulMove()), "MALFORMED")
        moves = await asyncio.gather(table.play(legal(first)), table.play(legal(first)),
                                     return_exceptions=True)
        self.assertEqual(["Event", "Refused"], [type(move).__name__ for move in moves])
        await self.refused(table.play(legal(first)), "STALE")  # The event has not been read.
        self.assertFalse(table.may_move)
        self.assertEqual(2, (await anext(events)).version)
        self.assertTrue(table.may_move)
        hint = await table.hint()
        self.assertEqual(2, hint.version)
        self.assertEqual("undone", (await self.undone(table, events)).kind)
        await table.play(legal(first))  # The position is that of the beginning.
        await table.resign()
        rest = [change async for change in events]
        self.assertEqual(["move", "resigned"], [change.kind for change in rest])
        await self.refused(table.play(hint.move), "GAME_OVER", "STALE")

    async def undone(self, table: Table, events: object) -> Change:
        """Takes the last move back."""
        await table.undo()
        return await anext(events)  # type: ignore[call-overload,no-any-return]

    async def test_a_resigned_game_is_verified(self) -> None:
        tesela = await self.connect()
        table = await tesela.create("samegame")
        async for change in table.events():
            if not change.result:
                await table.resign()
        verdict = verify(await tesela.record(table.id), promised=table.commitment,
                         added=table.contribution)
        self.assertEqual([], verdict.broken)
        self.assertEqual(16, len(table.contribution))

    async def test_a_cancelled_reader_leaves_the_table_as_it_is(self) -> None:
        table = await (await self.connect()).create("2048")
        events = table.events()
        first = await anext(events)
        with self.assertRaises(TimeoutError):
            async with asyncio.timeout(0.1):
                await anext(events)
        self.assertEqual(2, (await table.play(legal(first))).version)
        again = table.events()
        self.assertEqual(["position", 2], [(now := await anext(again)).kind, now.version])
        await table.close()
        self.assertEqual([], [change async for change in again])
        await self.refused(table.play(legal(now)), "CLOSED")

    async def test_a_search_ends_when_it_is_cancelled_and_when_the_client_is_closed(self) -> None:
        tesela = await self.connect()
        with self.assertRaises(TimeoutError):
            async with asyncio.timeout(0.3):
                await tesela.find("azul", players=2)
        said = asyncio.Event()
        search = asyncio.create_task(tesela.find("azul", searching=lambda _: said.set()))
        await said.wait()
        await tesela.close()
        await self.refused(search, "CLOSED")
        await self.refused(tesela.create("2048"), "CLOSED")

    async def test_two_players_find_each_other_and_watch_each_other_move(self) -> None:
        players = [await self.connect() for _ in range(2)]
        tables = await asyncio.gather(*(each.find("azul", players=2) for each in players))
        self.assertEqual(tables[0].id, tables[1].id)
        events = [table.events() for table in tables]
        for event in events:
            await anext(event)
        mover = next(table for table in tables if table.may_move)
        offer = mover.now.view.offers[0] if mover.now else None
        move = AzulMove(colour=offer.colour, factory=offer.factory, floor=True)
        await mover.play(move)
        self.assertEqual([2, 2], [(await anext(event)).version for event in events])
        watched = (await self.connect()).watch(mover.id)
        async for change in watched.events():
            self.assertEqual(("position", None), (change.kind, watched.seat))
            break
        async for table in players[0].tables(TableFilter(state=TABLE_STATE_IN_PLAY)):
            if table.table_id == mover.id:
                break

    async def test_a_player_is_kept_and_forgotten_when_it_is_signed_out_elsewhere(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        signed_out: list[int] = []
        tesela = await self.connect(store=FileStore(folder))
        same = await self.connect(store=FileStore(folder),
                                  on_signed_out=lambda: signed_out.append(1))
        self.assertEqual(tesela.player, same.player)
        table = await same.create("2048")
        events = table.events()
        await anext(events)
        await tesela.call("tesela.account.v1.AccountService/EndSession",
                          EndSessionRequest(current=True), EndSessionResponse)
        await self.refused(anext(events), "UNAUTHENTICATED")
        self.assertEqual(([1], None, []), (signed_out, same.player, [*FileStore(folder)]))

    async def test_a_token_is_renewed_before_it_ends(self) -> None:
        store: dict[str, str] = {}
        await self.connect(store=store)
        (key, kept), = store.items()
        soon = json.loads(kept) | {"expires_at": time.time() + 3600}
        store[key] = json.dumps(soon)
        tesela = await self.connect(store=store)
        await tesela.create("2048")
        async with asyncio.timeout(30):
            while not tesela.player or tesela.player.expires_at == soon["expires_at"]:
                await asyncio.sleep(0.01)
        self.assertEqual(tesela.player.player_id, soon["player_id"])
        self.assertEqual(tesela.player.token, json.loads(store[key])["token"])
        await tesela.create("2048")

    async def test_a_store_that_refuses_or_is_damaged_makes_a_new_guest(self) -> None:
        store = FileStore(f"{__file__}/no folder")
        self.assertTrue((await self.connect(store=store)).player)
        damaged = {f"tesela.player@{URL}": "{"}
        self.assertTrue((await self.connect(store=damaged)).player)

    async def test_refused_calls_and_missing_tables(self) -> None:
        tesela = await self.connect()
        await self.refused(tesela.create("no such game"), "INVALID_ARGUMENT")
        await self.refused(tesela.find("2048"), "INVALID_ARGUMENT")
        table_id = (await tesela.create("2048")).id
        missing = table_id[:-1] + ("1" if table_id.endswith("0") else "0")
        await self.refused(tesela.join(missing), "NOT_FOUND")
        await self.refused(anext(tesela.watch(missing).events()), "TABLE_NOT_FOUND")
        with self.assertRaises(ConnectionError):
            await Tesela.connect("http://127.0.0.1:9")


if __name__ == "__main__":
    unittest.main()
