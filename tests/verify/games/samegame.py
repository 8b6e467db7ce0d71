"""SameGame, after engine/samegame/RULES.md."""

import wire
from rules import require, u64

PER_COLOUR, REMAINING = 1, 2
CLEARED_BONUS = 1000

MESSAGES = "SameGame"
CONFIG = {"rows": 1, "columns": 2, "colours": 3,
          "penalty": (4, ("SAME_GAME_PENALTY_UNSPECIFIED", "SAME_GAME_PENALTY_PER_COLOUR",
                          "SAME_GAME_PENALTY_REMAINING", "SAME_GAME_PENALTY_NONE")),
          "cells": [5]}
MOVES = ({"cell": None},)
# Another cell of the same group is the same move.
NOT_COVERED = ("moves.move.cell",)


class Game:
    """A game on its way."""

    def __init__(self, config: bytes, dice):
        found = wire.fields(config)
        self.rows, self.columns, colours = (found[number][0] for number in (1, 2, 3))
        self.penalty = found[4][0]
        self.points = 0
        self.cells = wire.varints(b"".join(found.get(5, [])))
        if not self.cells:
            self.cells = [1 + dice.uniform(colours) for _ in range(self.rows * self.columns)]

    def play(self, seat: int, move: dict, _dice) -> None:
        """R-SG-2..4."""
        cell = move.get("cell", -1)
        require(seat == 0 and 0 <= cell < len(self.cells), f"there is no cell {cell}")
        group = self._group(cell)
        require(len(group) > 1, f"no group lies at the cell {cell}")
        self.points += (len(group) - 2) ** 2
        self._settle([0 if at in group else colour for at, colour in enumerate(self.cells)])

    def scores(self) -> list[int]:
        """R-SG-5: with the final bonus, once the game is over."""
        return [self.points + (self._bonus() if self.over() else 0)]

    def over(self) -> bool:
        """R-SG-5."""
        return not any(len(self._group(cell)) > 1 for cell in range(len(self.cells)))

    def ranks(self) -> list[int]:
        """There is one player."""
        return [1]

    def canonical_bytes(self) -> bytes:
        """A state in bytes."""
        return bytes([self.rows, self.columns, *self.cells]) + u64(self.points)

    def _group(self, cell: int) -> set[int]:
        """All that hangs together with the cell; nothing where it is empty."""
        colour = self.cells[cell]
        group, waiting = set(), [cell] if colour else []
        while waiting:
            at = waiting.pop()
            group.add(at)
            waiting += [n for n in self._neighbours(at)
                        if self.cells[n] == colour and n not in group]
        return group

    def _neighbours(self, cell: int):
        row, column = divmod(cell, self.columns)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < self.rows and 0 <= c < self.columns:
                yield r * self.columns + c

    def _settle(self, cells: list[int]) -> None:
        """R-SG-3: the tiles sink, and the columns that hold any move to the left."""
        columns = [[tile for tile in cells[c::self.columns] if tile] for c in range(self.columns)]
        columns = [column for column in columns if column]
        columns += [[]] * (self.columns - len(columns))
        sunk = [[0] * (self.rows - len(column)) + column for column in columns]
        self.cells = [column[row] for row in range(self.rows) for column in sunk]

    def _bonus(self) -> int:
        tiles = [tile for tile in self.cells if tile]
        if not tiles:
            return CLEARED_BONUS
        if self.penalty == PER_COLOUR:
            return -sum((tiles.count(colour) - 2) ** 2 for colour in set(tiles))
        return -(len(tiles) - 2) ** 2 if self.penalty == REMAINING else 0
