"""What happens at a table, and what one reader of it has not read yet, in order."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from tesela.game.v1.grid_pb2 import GridView
from tesela.play.v1.play_pb2 import Event, Result

# Above it, a reader is given the newest alone.
_WAITING_MAX = 1024


@dataclass(frozen=True)
class Change:
    """The table as it is after something has happened there."""

    #: 'position' stands for all that this reader has not seen: at the beginning, and after it was
    #: away or behind for long. 'undone': a move was taken back.
    kind: Literal["position", "move", "resigned", "undone"]
    #: One more than that of the change before, except after 'position'.
    version: int
    #: What happened, step by step: messages such as AzulStage; empty for a 'position'.
    stages: Sequence[Any]
    #: What the players may see now, a message such as AzulView; None of a game that this client
    #: does not know.
    view: Any
    #: The same as a grid, where the game sends one.
    grid: GridView | None
    #: The seats that may move now.
    turn: Sequence[int]
    #: Set when the game is over.
    result: Result | None
    #: What the server sent; None for a 'position'.
    event: Event | None


def position(change: Change) -> Change:
    """The change, for a reader that has not seen those before it."""
    return replace(change, kind="position", stages=(), event=None)


class Feed:
    """The changes for one reader."""

    def __init__(self) -> None:
        self._waiting: deque[Change] = deque()
        self._news = asyncio.Event()
        self._over = False
        self._why: Exception | None = None

    def put(self, change: Change) -> None:
        """A reader that is too far behind gets a 'position' instead of what it missed."""
        if len(self._waiting) >= _WAITING_MAX:
            self._waiting.clear()
            change = position(change)
        self._waiting.append(change)
        self._news.set()

    def end(self, why: Exception | None = None) -> None:
        """After what waits, the reader's loop ends, or raises `why`."""
        if not self._over:
            self._over, self._why = True, why
            self._news.set()

    async def next(self) -> Change | None:
        """None at the end."""
        while not self._waiting and not self._over:
            self._news.clear()
            await self._news.wait()
        if self._waiting:
            return self._waiting.popleft()
        if self._why:
            raise self._why
        return None
