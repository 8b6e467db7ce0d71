"""2248, after engine/g2248/RULES.md."""

import wire
from rules import require, u64

LARGEST = 60
SCORE_MAX = (1 << 63) - 1

MESSAGES = "Game2248"
CONFIG = {"rows": 1, "columns": 2, "goal": 3}
MOVES = ({"chain": {"cells"}}, {"booster": set()})


class Game:
    """A game on its way."""

    def __init__(self, config: bytes, dice):
        found = wire.fields(config)
        self.rows, self.columns, self.goal = (found[number][0] for number in (1, 2, 3))
        self.score = 0
        self.cells: list[int] = []
        while not self.cells or self.over():
            self.cells = [1 + dice.uniform(6) for _ in range(self.rows * self.columns)]

    def play(self, seat: int, move: dict, dice) -> None:
        """R-2248-3..8."""
        require(seat == 0, "the seat is not the player's")
        if "booster" in move:
            self._collapse_groups()
        else:
            self._join(move.get("chain", {}).get("cells", []))
        largest = max(self.cells)
        self._fall()
        self._refill(largest, dice)

    def scores(self) -> list[int]:
        """Points so far."""
        return [self.score]

    def over(self) -> bool:
        """R-2248-12: a chain is possible where two equal neighbours may merge."""
        return not any(self.cells[cell] == self.cells[n] < LARGEST
                       for cell in range(len(self.cells)) for n in self._neighbours(cell))

    def ranks(self) -> list[int]:
        """There is one player."""
        return [1]

    def canonical_bytes(self) -> bytes:
        """A state in bytes."""
        return (bytes([self.rows, self.columns, *self.cells]) + u64(self.score)
                + bytes([self.score >= self.goal]))

    def _neighbours(self, cell: int):
        row, column = divmod(cell, self.columns)
        for r in range(max(row - 1, 0), min(row + 2, self.rows)):
            for c in range(max(column - 1, 0), min(column + 2, self.columns)):
                if (r, c) != (row, column):
                    yield r * self.columns + c

    def _join(self, chain: list[int]) -> None:
        """R-2248-3..6, until the fall."""
        require(len(chain) > 1 and len(set(chain)) == len(chain), "a chain has two cells or more")
        require(all(0 <= cell < len(self.cells) for cell in chain), "a cell is not on the board")
        for number, (cell, after) in enumerate(zip(chain, chain[1:])):
            rise = self.cells[after] - self.cells[cell]
            require(after in self._neighbours(cell), "a step goes to a neighbour")
            require(rise == 0 or (rise == 1 and number > 0), "a tile is no equal and no double")
        value = _sum_exponent(self.cells[cell] for cell in chain)
        for cell in chain:
            self.cells[cell] = 0
        self.cells[chain[-1]] = value
        self.score = min(self.score + (1 << value), SCORE_MAX)

    def _collapse_groups(self) -> None:
        """R-2248-8, until the fall."""
        groups = self._groups()
        require(bool(groups), "there is no group")
        after = list(self.cells)
        for group in groups:
            for cell in group:
                after[cell] = 0
            # The lowest row, and there the rightmost cell.
            after[max(group)] = _sum_exponent(self.cells[cell] for cell in group)
        self.cells = after

    def _groups(self) -> list[set[int]]:
        groups: list[set[int]] = []
        for first in range(len(self.cells)):
            if any(first in group for group in groups):
                continue
            group, waiting = {first}, [first]
            while waiting:
                near = {n for n in self._neighbours(waiting.pop())
                        if self.cells[n] == self.cells[first]} - group
                group |= near
                waiting += near
            groups.append(group)
        return [group for group in groups if len(group) > 1]

    def _fall(self) -> None:
        for column in range(self.columns):
            tiles = [tile for tile in self.cells[column::self.columns] if tile]
            self.cells[column::self.columns] = [0] * (self.rows - len(tiles)) + tiles

    def _refill(self, largest: int, dice) -> None:
        """R-2248-7."""
        lowest = max(largest - 8, 1)
        for cell, exponent in enumerate(self.cells):
            if not exponent:
                self.cells[cell] = 1 if largest == 1 else lowest + dice.uniform(largest - lowest)


def _sum_exponent(exponents) -> int:
    """R-2248-4."""
    value = (sum(1 << exponent for exponent in exponents) - 1).bit_length()
    require(value <= LARGEST, "the sum is too large")
    return value
