"""A player of 2048 on the largest board, where games are long."""

import math
import pathlib
import statistics
import sys
import time
from typing import Callable

import lobby
import processes
from table_stream import Stream

AHEAD = 32  # moves that are sent before the first one is answered, while the game is made long
DIRECTIONS = ("LEFT", "DOWN", "RIGHT", "DOWN", "LEFT", "UP")
UNDO_TYPE = "type.googleapis.com/tesela.play.v1.Undo"
RESIGN_TYPE = "type.googleapis.com/tesela.play.v1.Resign"
MOVE_TYPE = "type.googleapis.com/tesela.game.v1.Game2048Move"


class Player:
    """Who plays, with a stream at the table."""

    def __init__(self, port: int, practice: bool = False, token: str = ""):
        self.token = token or lobby.sign_in(port)
        config = {"@type": "type.googleapis.com/tesela.game.v1.Game2048Config", "size": 8}
        made = lobby.call(port, "CreateTable", {"game": "2048", "config": config,
                                                "options": {"practice": practice}}, self.token)
        self.table = made["table"]["tableId"]
        self.version = 0
        self.sent = 0
        self.connect(port)

    def connect(self, port: int) -> None:
        """Opens the stream, and reads until the position is there."""
        self.stream = Stream(port, self.table, {"token": self.token})
        shown = 0
        while shown == 0:
            shown = int(self.stream.read().get("snapshot", {}).get("version", 0))
        self.version = shown

    def send(self) -> str:
        self.sent += 1
        direction = "DIRECTION_" + DIRECTIONS[self.sent % len(DIRECTIONS)]
        self.stream.send({"move": {"moveId": str(self.sent),
                                   "body": {"@type": MOVE_TYPE, "direction": direction}}})
        return str(self.sent)

    def undo(self) -> float:
        """Milliseconds until the last move is taken back."""
        self.sent += 1
        begin = time.perf_counter()
        self.stream.send({"move": {"moveId": str(self.sent), "body": {"@type": UNDO_TYPE}}})
        if not self.answer():
            raise processes.BenchError("a move was not taken back")
        return 1000 * (time.perf_counter() - begin)

    def resign(self) -> None:
        """Ends the game."""
        self.sent += 1
        self.stream.send({"move": {"moveId": str(self.sent), "body": {"@type": RESIGN_TYPE}}})
        while True:
            frame = self.stream.read()
            if "refusal" in frame:
                raise processes.BenchError("the player could not resign")
            if "result" in frame.get("event", {}):
                self.version = int(frame["event"]["version"])
                return

    def answer(self) -> bool:
        """Reads until a move is answered: whether it was played."""
        while True:
            frame = self.stream.read()
            if "event" in frame:
                if "result" in frame["event"]:
                    raise processes.BenchError(f"the game ended at version {self.version}")
                self.version = int(frame["event"]["version"])
                return True
            if "refusal" in frame:
                return False

    def play_until(self, version: int) -> None:
        open_moves = 0
        while self.version < version:
            while open_moves < AHEAD:
                self.send()
                open_moves += 1
            self.answer()
            open_moves -= 1
        for _ in range(open_moves):
            self.answer()

    def measure(self, moves: int, pause_seconds: float) -> list[float]:
        """Milliseconds from each move that was played to its event."""
        times = []
        while len(times) < moves:
            begin = time.perf_counter()
            self.send()
            if self.answer():
                times.append(1000 * (time.perf_counter() - begin))
            time.sleep(pause_seconds)
        return times


def percentiles(times: list[float]) -> tuple[float, float]:
    """The median, and what one in a hundred is above; NaN where too few were measured."""
    if len(times) < 2:
        return math.nan, math.nan
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return cuts[49], cuts[98]


def at_lengths(build: pathlib.Path, versions: list[int],
               measure: Callable[[int, Player], None]) -> int:
    """Calls `measure` with the server's port and the player when the game has each of the lengths,
    in ascending order. The exit status of the program."""
    try:
        with processes.tesela_server(build, "--threads", "1", "--frame-rate", "0",
                                     "--shared-frame-rate", "0") as (port, _):
            player = Player(port)
            for version in versions:
                player.play_until(version)
                measure(port, player)
            player.stream.close()
    except (processes.BenchError, OSError) as error:
        print(f"no result: {error}", file=sys.stderr)
        return 1
    return 0
