"""2048, after engine/g2048/RULES.md."""

import wire
from rules import require, u64

LARGEST = 31

MESSAGES = "Game2048"
CONFIG = {"size": 1, "weights": (2, {"value": 1, "perMille": 2}), "startTiles": 3,
          "startValue": 4, "objective": 5, "stopAtObjective": (6, bool)}
MOVES = ({"direction": None},)


class Game:
    """A game on its way."""

    def __init__(self, config: bytes, dice):
        found = wire.fields(config)
        self.size = found[1][0]
        weights = [wire.fields(weight) for weight in found[2]]
        self.weights = [(w[1][0].bit_length() - 1, w.get(2, [0])[0]) for w in weights]
        self.start_value = found.get(4, [0])[0]
        self.objective = found[5][0]
        self.stops = bool(found.get(6, [0])[0])
        self.cells = [0] * self.size ** 2
        self.score = 0
        self.reached = False
        for _ in range(found[3][0]):
            self._spawn(dice, self.start_value)

    def play(self, seat: int, move: dict, dice) -> None:
        """R-2048-2..4."""
        require(seat == 0 and not self.over(), "the game is over, or the seat is not the player's")
        after, points = self._moved(move.get("direction"))
        require(after != self.cells, "the move changes nothing")
        self.cells = after
        self.score += points
        self._spawn(dice)

    def scores(self) -> list[int]:
        """Points so far."""
        return [self.score]

    def over(self) -> bool:
        """R-2048-6."""
        stuck = all(self._moved(direction)[0] == self.cells for direction in DIRECTIONS)
        return stuck or (self.reached and self.stops)

    def ranks(self) -> list[int]:
        """There is one player."""
        return [1]

    def canonical_bytes(self) -> bytes:
        """A state in bytes."""
        return bytes([self.size, *self.cells]) + u64(self.score) + bytes([self.reached])

    def _spawn(self, dice, start_value: int = 0) -> None:
        empty = [cell for cell, exponent in enumerate(self.cells) if not exponent]
        cell = empty[dice.uniform(len(empty))]
        if start_value:
            self.cells[cell] = start_value.bit_length() - 1
        else:
            left = dice.uniform(1000)
            for exponent, per_mille in self.weights:
                left -= per_mille
                if left < 0:
                    self.cells[cell] = exponent
                    break
        self.reached = self.reached or 1 << max(self.cells) >= self.objective

    def _moved(self, direction: str) -> tuple[list[int], int]:
        require(direction in DIRECTIONS, f"{direction} is no direction")
        after, points = list(self.cells), 0
        for line in DIRECTIONS[direction](self.size):
            tiles, gain = _collapsed([self.cells[cell] for cell in line])
            points += gain
            for cell, tile in zip(line, tiles):
                after[cell] = tile
        return after, points


def _collapsed(line: list[int]) -> tuple[list[int], int]:
    """R-2048-2, with the edge at the front."""
    tiles, done, points = [tile for tile in line if tile], [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile and tile < LARGEST:
            tiles.pop(0)
            tile += 1
            points += 1 << tile
        done.append(tile)
    return done + [0] * (len(line) - len(done)), points


def _rows(size: int) -> list[list[int]]:
    return [[row * size + column for column in range(size)] for row in range(size)]


def _columns(size: int) -> list[list[int]]:
    return [list(column) for column in zip(*_rows(size))]


# The lines of a board, each from the edge that the direction points to.
DIRECTIONS = {
    "DIRECTION_LEFT": _rows,
    "DIRECTION_RIGHT": lambda size: [row[::-1] for row in _rows(size)],
    "DIRECTION_UP": _columns,
    "DIRECTION_DOWN": lambda size: [column[::-1] for column in _columns(size)],
}
