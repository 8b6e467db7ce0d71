"""Plays Azul against whoever comes, or a bot, and takes the first move that is offered.

    play.py http://localhost:8080
"""

import asyncio
import sys

from tesela import Tesela, verify
from tesela.game.v1.azul_pb2 import AzulMove, AzulView


def choose(view: AzulView) -> AzulMove:
    """The first offer, for its first pattern line."""
    offer = view.offers[0]
    move = AzulMove(colour=offer.colour, factory=offer.factory)
    if offer.HasField("centre"):
        move.centre = True
    move.floor = True
    if offer.lines:
        move.line = offer.lines[0]
    return move


async def main(url: str) -> None:
    """One game."""
    async with await Tesela.connect(url, name="Ada") as tesela:
        table = await tesela.find("azul", players=2, bots="easy", bots_after_s=1)
        async for change in table.events():
            print(f"version {change.version}: {len(change.stages)} stages")
            if table.may_move:
                await table.play(choose(change.view))
        verdict = verify(await tesela.record(table.id), promised=table.commitment)
        print("The dice were fair." if verdict.ok else " ".join(verdict.broken))


asyncio.run(main(*sys.argv[1:] or ["http://localhost:8080"]))
