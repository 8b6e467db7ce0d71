#!/usr/bin/env python3
"""What the server's hashes must answer, by the second implementation (fair.py).

Usage: fair_vectors.py          writes the answers, one JSON object a line
       fair_vectors.py --check  exits 1 unless fair_vectors.jsonl holds exactly these
"""

import json
import pathlib
import sys

import fair

COUNTING = bytes(range(32))
SEEDS = (bytes(32), COUNTING, b"\xff" * 32)
TERMS = (("2048", b"", 1), ("azul", b"\x08\x04", 4), ("samegame", bytes(range(256)) * 3, 1))
CONTRIBUTIONS = (
    [],
    [(0, b"")],
    [(0, b"ada's dice")],
    [(1, b"bob"), (3, b"\x00\xff" * 32)],
    [(seat, bytes([seat]) * 16) for seat in range(4)],
    [(255, b"last")],
)
DAYS = ("2026-11-21", "2026-11-22", "2028-02-29", "0001-01-01", "9999-12-31")


def vectors():
    """All of them."""
    for seed in SEEDS:
        for game, config, seats in TERMS:
            yield {"kind": "commitment", "serverSeed": seed.hex(), "game": game,
                   "config": config.hex(), "seats": seats,
                   "commitment": fair.commitment(seed, game, config, seats).hex()}
        for added in CONTRIBUTIONS:
            yield {"kind": "seed", "serverSeed": seed.hex(),
                   "contributions": [{"seat": seat, "bytes": data.hex()} for seat, data in added],
                   "seed": fair.game_seed(seed, added).hex()}
    for secret in (COUNTING, b"a secret of an operator, longer than one block of the hash " * 2):
        for date in DAYS:
            for game in ("2048", "samegame"):
                yield {"kind": "daily", "secret": secret.hex(), "date": date, "game": game,
                       "seed": fair.daily_seed(secret, date, game).hex()}


def main() -> int:
    """0 when the answers are written, or are those of the file."""
    text = "".join(json.dumps(vector) + "\n" for vector in vectors())
    if sys.argv[1:] == ["--check"]:
        file = pathlib.Path(__file__).with_name("fair_vectors.jsonl")
        return 0 if file.read_text() == text else 1
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
