"""Players of 2048 at tables that are handed over from one server to another."""

import asyncio
import pathlib
import sys
import time

sys.path.append(str(pathlib.Path(__file__).parent.parent))
import processes
from long_game import MOVE_TYPE
from soak_players import Disconnected, Stream, post

ADDRESS = "127.0.0.1"  # to which no limit of addresses applies
AT_ONCE = 16  # who sign in, make tables and connect
TABLES_OF_PLAYER = 20


class Mover:
    """One player at one table, who comes back at another server when the table is handed over."""

    def __init__(self, table: str, token: str):
        self._table = table
        self._token = token
        self._version = 0
        self._legal: list[str] = []
        self._sent = 0  # moves
        self._pending: dict | None = None  # the move that is not acknowledged
        self._pending_at = 0.0
        self._back_with: str | None = None  # the first move that was sent to the other server
        self.acknowledged = 0
        self.wait_max = 0.0  # seconds from a move to its event, at most
        self.left_at = 0.0  # when the Goodbye came
        self.back_at = 0.0  # when the first move at the other server was acknowledged

    async def connect(self, port: int) -> None:
        """Opens a stream, and reads until the position is there."""
        self._stream = await self._open(port)
        while self._version == 0:
            self._take(await self._stream.next())

    async def play(self, pace_seconds: float, first_seconds: float, to_port: int) -> None:
        """Moves at the pace until the Goodbye, and then once more at the other server."""
        pace = asyncio.create_task(self._pace(pace_seconds, first_seconds))
        try:
            goodbye = await self._until_goodbye()
            pace.cancel()
            self.left_at = time.perf_counter()
            self._stream.drop()
            await asyncio.sleep(goodbye.get("reconnectAfterMs", 0) / 1000)
            self._stream = await self._open(to_port)
            await self._play_on()
            self._stream.drop()
        except (Disconnected, OSError) as error:
            raise processes.BenchError(f"the stream of table {self._table} is lost") from error
        finally:
            pace.cancel()

    async def _open(self, port: int) -> Stream:
        return await Stream.open(port, ADDRESS, self._table, {
            "token": self._token, "lastVersion": str(self._version)})

    async def _pace(self, pace_seconds: float, first_seconds: float) -> None:
        await asyncio.sleep(first_seconds)
        while True:
            if self._pending is None:
                self._move()
            await asyncio.sleep(pace_seconds)

    def _move(self) -> None:
        self._sent += 1
        body = {"@type": MOVE_TYPE, "direction": self._legal[self._sent % len(self._legal)]}
        self._pending = {"moveId": f"m{self._sent}", "atVersion": str(self._version), "body": body}
        self._pending_at = time.perf_counter()
        self._stream.send({"move": self._pending})

    async def _until_goodbye(self) -> dict:
        while True:
            frame = await self._stream.next()
            if "goodbye" in frame:
                self._expect(frame["goodbye"]["reason"] == "REASON_TABLE_MOVED", frame)
                return frame["goodbye"]
            # A move that a table does not take any more is sent again at the other server.
            if "refusal" not in frame:
                self._take(frame)

    async def _play_on(self) -> None:
        welcomed = False
        while not self.back_at:
            frame = await self._stream.next()
            self._expect("goodbye" not in frame and "refusal" not in frame, frame)
            if welcome := frame.get("welcome"):
                welcomed = True
                # What was acknowledged is there, and at most the move that was on its way.
                version = int(welcome["version"])
                most = self._version + (self._pending is not None)
                self._expect(self._version <= version <= most, frame)
                if self._pending and version == self._version:
                    self._back_with = self._pending["moveId"]
                    self._stream.send({"move": self._pending})
            self._take(frame)
            if welcomed and self._pending is None and not self.back_at:
                self._move()
                self._back_with = self._pending["moveId"]

    def _take(self, frame: dict) -> None:
        if snapshot := frame.get("snapshot"):
            self._version = int(snapshot["version"])
            self._legal = snapshot["view"]["legal"]
        if event := frame.get("event"):
            self._expect(int(event["version"]) == self._version + 1 and "result" not in event
                         and event["moveId"] == self._pending["moveId"], frame)
            self._version += 1
            self._legal = event["body"]["view"]["legal"]
            self._acknowledge(time.perf_counter())

    def _acknowledge(self, now: float) -> None:
        self.acknowledged += 1
        self.wait_max = max(self.wait_max, now - self._pending_at)
        if self._pending["moveId"] == self._back_with:
            self.back_at = now
        self._pending = None

    def _expect(self, holds: bool, frame: dict) -> None:
        """A move that was lost or played twice ends everything."""
        if not holds:
            raise processes.BenchError(f"table {self._table} at {self._version}, with "
                                       f"{self._pending}: {frame}")


async def make_movers(port: int, tables: int) -> list[Mover]:
    """Players with a table each at this server, and streams there."""
    free = asyncio.Semaphore(AT_ONCE)

    async def player(count: int) -> list[Mover]:
        async with free:
            token = (await post(port, ADDRESS, "SignIn", {"displayName": "Bench"}))["token"]
            movers = []
            for _ in range(count):
                made = await post(port, ADDRESS, "CreateTable", {"game": "2048"}, token)
                movers.append(Mover(made["table"]["tableId"], token))
                await movers[-1].connect(port)
            return movers

    shares = [min(TABLES_OF_PLAYER, tables - first)
              for first in range(0, tables, TABLES_OF_PLAYER)]
    return [mover for some in await asyncio.gather(*map(player, shares)) for mover in some]
