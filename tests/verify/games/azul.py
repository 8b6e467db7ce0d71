"""Azul, after engine/azul/RULES.md."""

import wire
from rules import ranks, require, u64

COLOURS = ("AZUL_COLOUR_BLUE", "AZUL_COLOUR_YELLOW", "AZUL_COLOUR_RED", "AZUL_COLOUR_BLACK",
           "AZUL_COLOUR_WHITE")
MARKER = 5  # among the colours 0..4 of a floor line
PENALTIES = (1, 1, 2, 2, 2, 3, 3)
NOBODY = 255

MESSAGES = "Azul"
CONFIG = {"players": 1, "untiledRoundsMax": 2}
MOVES = tuple({"colour": None, **source, **target}
              for source in ({"factory": None}, {"centre": True})
              for target in ({"line": None}, {"floor": True}))


class Board:
    """What lies before one player."""

    def __init__(self):
        self.score = 0
        self.lines = [[0, 0] for _ in range(5)]  # colour, count
        self.wall = [[False] * 5 for _ in range(5)]
        self.floor: list[int] = []

    def place(self, colour: int, count: int, line: int) -> int:
        """R-AZ-5: to a pattern line. Tells what did not fit."""
        holds, there = self.lines[line]
        require(there <= line and (not there or holds == colour), "the line does not take it")
        require(not self.wall[line][(colour + line) % 5], "the wall has the tile already")
        fits = min(count, line + 1 - there)
        self.lines[line] = [colour, there + fits]
        return count - fits

    def drop(self, colour: int, count: int, lid: list[int]) -> None:
        """R-AZ-6: to the floor line."""
        for _ in range(count):
            if len(self.floor) < len(PENALTIES):
                self.floor.append(colour)
            else:
                lid[colour] += 1

    def end_round(self, lid: list[int]) -> bool:
        """R-AZ-8, R-AZ-9. Whether a tile came onto the wall."""
        tiled = False
        for row, (colour, count) in enumerate(self.lines):
            if count == row + 1:
                self._tile(row, (colour + row) % 5)
                tiled = True
                lid[colour] += row
                self.lines[row] = [0, 0]
        self.score = max(self.score - sum(PENALTIES[:len(self.floor)]), 0)
        for piece in self.floor:
            if piece != MARKER:
                lid[piece] += 1
        self.floor = []
        return tiled

    def rows(self) -> int:
        """How many are complete."""
        return sum(all(row) for row in self.wall)

    def bonus(self) -> int:
        """R-AZ-11."""
        columns = sum(all(column) for column in zip(*self.wall))
        colours = sum(all(self.wall[row][(colour + row) % 5] for row in range(5))
                      for colour in range(5))
        return 2 * self.rows() + 7 * columns + 10 * colours

    def canonical_bytes(self) -> bytes:
        """A state in bytes."""
        lines = [number for colour, count in self.lines
                 for number in (colour + 1 if count else 0, count)]
        wall = sum(1 << row * 5 + column for row in range(5) for column in range(5)
                   if self.wall[row][column])
        floor = [piece + 1 for piece in self.floor] + [0] * (len(PENALTIES) - len(self.floor))
        return u64(self.score) + bytes(lines) + u64(wall) + bytes(floor)

    def _tile(self, row: int, column: int) -> None:
        self.wall[row][column] = True
        across = _run(self.wall[row], column)
        down = _run([line[column] for line in self.wall], row)
        self.score += (across if across > 1 else 0) + (down if down > 1 else 0) or 1


class Game:
    """A game on its way."""

    def __init__(self, config: bytes, dice):
        given = wire.fields(config)
        self.players = given[1][0]
        # None in a game from before the rule.
        self.untiled_max = given.get(2, [None])[0]
        self.untiled = 0
        self.bag, self.lid = [20] * 5, [0] * 5
        self.boards = [Board() for _ in range(self.players)]
        self.starter = self.turn = dice.uniform(self.players)
        self.next_starter = NOBODY
        self.round = 1
        self.ended = False
        self._deal(dice)

    def play(self, seat: int, move: dict, dice) -> None:
        """R-AZ-3..11."""
        require(not self.ended and seat == self.turn, "the seat is not on turn")
        require(move.get("colour") in COLOURS, "the move names no colour")
        colour = COLOURS.index(move["colour"])
        centre = move.get("centre", False)
        source = self.centre if centre else self.displays[move["factory"]]
        count = source[colour]
        require(count > 0, "there is no tile of the colour")
        board = self.boards[seat]
        if centre and self.next_starter == NOBODY:
            self.next_starter = seat
            board.drop(MARKER, int(len(board.floor) < len(PENALTIES)), self.lid)
        over = count if move.get("floor") else board.place(colour, count, move["line"])
        board.drop(colour, over, self.lid)
        source[colour] = 0
        if not centre:
            for other in range(5):
                self.centre[other] += source[other]
                source[other] = 0
        if any(map(any, [self.centre, *self.displays])):
            self.turn = (self.turn + 1) % self.players
        else:
            self._end_round(dice)

    def scores(self) -> list[int]:
        """In the order of the seats."""
        return [board.score for board in self.boards]

    def over(self) -> bool:
        """R-AZ-11."""
        return self.ended

    def ranks(self) -> list[int]:
        """R-AZ-12."""
        return ranks([(board.score, board.rows()) for board in self.boards])

    def canonical_bytes(self) -> bytes:
        """A state in bytes."""
        counts = [*self.displays, self.centre, self.bag, self.lid]
        return (bytes([self.players, *sum(counts, []), self.next_starter])
                + b"".join(board.canonical_bytes() for board in self.boards)
                + u64(self.round) + bytes([self.starter, self.turn, self.ended])
                + (bytes([self.untiled]) if self.untiled_max is not None else b""))

    def _deal(self, dice) -> None:
        """R-AZ-2."""
        self.centre = [0] * 5
        self.displays = [[0] * 5 for _ in range(2 * self.players + 1)]
        for tile in range(4 * len(self.displays)):
            if not any(self.bag):
                self.bag, self.lid = self.lid, [0] * 5
            if not any(self.bag):
                return
            number = dice.uniform(sum(self.bag))
            colour = 0
            while number >= self.bag[colour]:
                number -= self.bag[colour]
                colour += 1
            self.bag[colour] -= 1
            self.displays[tile // 4][colour] += 1

    def _end_round(self, dice) -> None:
        tiled = [board.end_round(self.lid) for board in self.boards]
        if self.untiled_max is not None:
            self.untiled = 0 if any(tiled) else self.untiled + 1
        if (any(board.rows() for board in self.boards) or not any(self.bag + self.lid)
                or self.untiled == self.untiled_max):
            self.ended = True
            for board in self.boards:
                board.score += board.bonus()
            return
        if self.next_starter != NOBODY:
            self.starter = self.next_starter
        self.turn = self.starter
        self.next_starter = NOBODY
        self.round += 1
        self._deal(dice)


def _run(line: list[bool], at: int) -> int:
    """How many stand together without a gap, the one at `at` among them."""
    first = last = at
    while first > 0 and line[first - 1]:
        first -= 1
    while last < 4 and line[last + 1]:
        last += 1
    return last - first + 1
