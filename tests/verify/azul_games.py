#!/usr/bin/env python3
"""Games of Azul that end by the third end of R-AZ-11, by the second implementation (games/azul.py).

Usage: azul_games.py          writes them, one JSON object a line, as tests/vectors/README.md says
       azul_games.py --check  exits 1 unless these are the games of azul_games.jsonl that end so
"""

import json
import pathlib
import random
import sys

from dice import Dice
from games import azul

FILE = pathlib.Path(__file__).parent.parent / "vectors/azul_games.jsonl"
# Of each game: its players, its number, and whether each round puts tiles on walls.
GAMES = ((2, 141, "+++++--+---"), (2, 1, "---"), (3, 195, "++++-+---"), (4, 4, "+++++---"))


def _config(players: int) -> bytes:
    """AzulConfig: players, and untiled_rounds_max of 3."""
    return bytes([8, players, 16, 3])


def _moves(game) -> list[list[int]]:
    """[source, colour, line] of all legal moves of the seat on turn, as the vectors have them."""
    board = game.boards[game.turn]
    moves = []
    for source, tiles in enumerate([*game.displays, game.centre]):
        for colour in range(5):
            if not tiles[colour]:
                continue
            lines = [line for line in range(5)
                     if board.lines[line][1] <= line
                     and board.lines[line][0] in ([colour] if board.lines[line][1] else range(5))
                     and not board.wall[line][(colour + line) % 5]]
            number = source if source < len(game.displays) else -1
            moves += [[number, colour, line] for line in [*lines, 5]]
    return moves


def _taken(game, move: list[int]) -> int:
    source, colour, _ = move
    return (game.centre if source < 0 else game.displays[source])[colour]


def _fills(game, move: list[int]) -> bool:
    """Whether the move completes a pattern line."""
    line = move[2]
    there = game.boards[game.turn].lines[line][1] if line < 5 else 0
    return line < 5 and there + _taken(game, move) > line


def _choice(game, tiles: bool, choose: random.Random) -> list[int]:
    """A move that loses few tiles and completes no row of a wall; without `tiles` no line."""
    board = game.boards[game.turn]

    def worth(move: list[int]) -> float:
        line = move[2]
        if line == 5:
            return _taken(game, move) + 1
        lost = max(_taken(game, move) - (line + 1 - board.lines[line][1]), 0)
        return lost - (0.5 if _fills(game, move) else 0)

    allowed = [move for move in _moves(game)
               if not _fills(game, move) or (tiles and sum(board.wall[move[2]]) < 4)]
    return min(allowed, key=lambda move: (worth(move), choose.random()))


def _move(move: list[int]) -> dict:
    """As games/azul.py takes it."""
    source, colour, line = move
    return {"colour": azul.COLOURS[colour],
            **({"centre": True} if source < 0 else {"factory": source}),
            **({"floor": True} if line == 5 else {"line": line})}


def _after(game) -> dict:
    """What a round has led to, before bonuses and the next deal."""
    bonus = [board.bonus() if game.ended else 0 for board in game.boards]
    return {"scores": [board.score - more for board, more in zip(game.boards, bonus)],
            "walls": [[[int(cell) for cell in row] for row in board.wall]
                      for board in game.boards],
            "lines": [[[colour if count else -1, count] for colour, count in board.lines]
                      for board in game.boards],
            "lid": list(game.lid), "bag": list(game.bag),
            "next_start": game.starter if game.next_starter == azul.NOBODY
                          else game.next_starter}


class _Noting(azul.Game):
    """Notes the table before each deal."""

    def _deal(self, dice) -> None:
        self.noted = _after(self)
        super()._deal(dice)


def _play_round(game, tiles: bool, choose: random.Random, dice) -> dict:
    played = {"start_player": game.turn, "factories": [list(each) for each in game.displays],
              "bag_after_deal": list(game.bag), "lid_after_deal": list(game.lid), "moves": []}
    before, walls = game.round, [board.wall for board in game.boards]
    tiled = sum(cell for wall in walls for row in wall for cell in row)
    while not game.ended and game.round == before:
        move = _choice(game, tiles, choose)
        played["moves"].append(move)
        game.play(game.turn, _move(move), dice)
    assert tiles == (sum(cell for wall in walls for row in wall for cell in row) > tiled)
    nobody = all(source >= 0 for source, _, _ in played["moves"])
    played["after"] = {**(_after(game) if game.ended else game.noted),
                       "nobody_took_centre": nobody}
    return played


def _final(board) -> dict:
    """The bonuses of one player."""
    columns = sum(all(column) for column in zip(*board.wall))
    colours = (board.bonus() - 2 * board.rows() - 7 * columns) // 10
    return {"round_score": board.score - board.bonus(), "rows": board.rows(), "cols": columns,
            "colors": colours, "bonus": board.bonus(), "total": board.score}


def game_of(players: int, number: int, plan: str) -> dict:
    """A whole game: its deals, its moves, and what they lead to."""
    choose = random.Random(number)
    dice = Dice(bytes([number]) * 32)
    game = _Noting(_config(players), dice)
    rounds = [_play_round(game, tiles == "+", choose, dice) for tiles in plan]
    assert game.ended and game.untiled == game.untiled_max
    return {"kind": "game", "id": f"azul-untiled-{players}-{number}", "players": players,
            "rounds": rounds, "end": "untiled", "final": [_final(board) for board in game.boards],
            "winners": [seat for seat, rank in enumerate(game.ranks()) if rank == 1]}


def main() -> int:
    """0 when the games are written, or are those of the file."""
    lines = [json.dumps(game_of(*game), separators=(",", ":")) for game in GAMES]
    if sys.argv[1:] == ["--check"]:
        untiled = [line for line in FILE.read_text().splitlines() if '"end":"untiled"' in line]
        return 0 if untiled == lines else 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
