#!/usr/bin/env python3
"""An engine for Azul: copy it, and give it a better `value`. One question a line, one answer."""

import json
import sys

COLOURS = ["BLUE", "YELLOW", "RED", "BLACK", "WHITE"]
FLOOR_COSTS = [1, 1, 2, 2, 2, 3, 3]


def value(move, view, seat):
    """What a move seems to be worth: a line that is filled is tiled, and the floor costs points."""
    table = view["table"]
    board = table["boards"][seat]
    source = table["centre"] if "centre" in move else table["factories"][move["factory"] * 5:]
    tiles = source[COLOURS.index(move["colour"].removeprefix("AZUL_COLOUR_"))]
    placed = worth = 0
    if "line" in move:
        size = move["line"] + 1
        held = board["lineCounts"][move["line"]]
        placed = min(tiles, size - held)
        worth = (held + placed) / size * 2 + (2 if held + placed == size else 0)
    spilled = tiles - placed + (1 if "centre" in move and table["markerInCentre"] else 0)
    floor = len(board["floor"])
    return worth - sum(FLOOR_COSTS[floor:floor + spilled])


for line in sys.stdin:
    question = json.loads(line)
    values = [value(move, question["view"], question["seat"]) for move in question["moves"]]
    print(values.index(max(values)), flush=True)
