"""What the abusers find: some tables of a player of their own, one with a long game, and one whose
game is over."""

import asyncio
import time

import lobby
from abuse_kinds import Site
from processes import BenchError
from soak_players import Disconnected, Stream

ABUSED_TABLES = 4
SOURCE = "127.0.0.1"
MOVE = "type.googleapis.com/tesela.game.v1.Game2048Move"
RESIGN = "type.googleapis.com/tesela.play.v1.Resign"
CONFIG = "type.googleapis.com/tesela.game.v1.Game2048Config"
FINISHED_MOVES = 500
ROUND = 8  # moves that wait for an answer; fewer than a table's queue
PLAY_SECONDS_MAX = 120
FRAMES_PER_SECOND = 150  # below --shared-frame-rate


async def _play_long(port: int, token: str, table: str, moves: int) -> int:
    """A game on a board so large that it goes on; the last version. The server may well refuse some
    of the moves, since they are sent without looking at the board."""
    stream = await Stream.open(port, SOURCE, table, {"token": token})
    version = 1
    sent = 0
    pending = 0
    end = time.monotonic() + PLAY_SECONDS_MAX
    while version < moves and time.monotonic() < end:
        while pending < ROUND:
            # Two directions take turns, and now and then a third when neither moves anything.
            direction = "DIRECTION_DOWN" if sent % 7 == 6 else (
                "DIRECTION_LEFT" if sent % 2 else "DIRECTION_UP")
            stream.send({"move": {"moveId": f"l{sent}",
                                  "body": {"@type": MOVE, "direction": direction}}})
            sent += 1
            pending += 1
        frame = await stream.next()
        if event := frame.get("event"):
            version = int(event["version"])
            if "result" in event:
                break
        if "event" in frame or "refusal" in frame:
            pending -= 1
            await asyncio.sleep(1 / FRAMES_PER_SECOND)
    stream.drop()
    return version


async def _give_up(port: int, token: str, table: str) -> None:
    stream = await Stream.open(port, SOURCE, table, {"token": token})
    stream.send({"move": {"moveId": "end", "body": {"@type": RESIGN}}})
    while "result" not in (await stream.next()).get("event", {}):
        pass
    stream.drop()


def site_of(port: int, grpc_port: int, long_moves: int) -> Site:
    token = lobby.sign_in(port)
    tables = [lobby.call(port, "CreateTable", {"game": "2048"}, token)["table"]["tableId"]
              for _ in range(ABUSED_TABLES)]
    large = {"game": "2048", "config": {"@type": CONFIG, "size": 8}}
    long_table, finished_table = (
        lobby.call(port, "CreateTable", large, token)["table"]["tableId"] for _ in range(2))
    practice = {"game": "2048", "options": {"practice": True}}
    practice_table = lobby.call(port, "CreateTable", practice, token)["table"]["tableId"]
    try:
        version = asyncio.run(_play_long(port, token, long_table, long_moves))
        asyncio.run(_play_long(port, token, finished_table, min(long_moves, FINISHED_MOVES)))
        asyncio.run(_give_up(port, token, finished_table))
    except (Disconnected, OSError) as error:
        raise BenchError("no long game came about") from error
    return Site(http=port, grpc=grpc_port, tables=tables, token=token, long_table=long_table,
                long_version=version, finished_table=finished_table,
                practice_table=practice_table)
