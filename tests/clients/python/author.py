"""An author's program on the package: plays games of 2048, several at once, and prints a line a
game with what it was shown and what its moves became.

    author.py URL GAMES MOVES
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tesela import CallFailed, Refused, Table, Tesela
from tesela.game.v1.g2048_pb2 import Game2048Move, Game2048View

Answer = TypeVar("Answer")


async def insist(call: Callable[[], Awaitable[Answer]]) -> Answer:
    """A call may be cut off too, and is made again."""
    while True:
        try:
            return await call()
        except (CallFailed, Refused):
            await asyncio.sleep(0.05)


async def play(table: Table, most: int) -> int:
    """The moves that were made, at most so many."""
    shown: list[str] = []
    told: list[tuple[str, str]] = []
    async for change in table.events():
        position = "position " if change.kind == "position" else ""
        shown.append(f"{position}{change.version}")
        if change.result or len(told) == most:
            break
        view: Game2048View = change.view
        direction = view.legal[len(told) % len(view.legal)]
        event = await table.play(Game2048Move(direction=direction))
        told.append((event.move_id, str(event.version)))
    await table.close()
    print(json.dumps({"tableId": table.id, "shown": shown, "told": told}))
    return len(told)


async def play_games(url: str, number: int, moves: int) -> None:
    """Games, one after the other, until so many moves are made."""
    async with await insist(lambda: Tesela.connect(url, name=f"Author {number}")) as tesela:
        while moves > 0:
            moves -= await play(await insist(lambda: tesela.create("2048")), moves)


async def main(url: str, games: str, moves: str) -> None:
    """Several at once."""
    await asyncio.gather(*(play_games(url, number, int(moves)) for number in range(int(games))))


asyncio.run(main(*sys.argv[1:]))
