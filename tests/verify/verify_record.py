#!/usr/bin/env python3
"""Plays finished games again, from the documents alone, and tells whether their records are true.

Usage: verify_record.py [--shown COMMITMENT] RECORD …

A RECORD is a file as README.md describes it, or the answer of HistoryService.GetRecord in JSON.
COMMITMENT is what the server showed before the first move, in hexadecimal: without it the record is
only compared with itself.
"""

import argparse
import json
import sys

import fair
import game_record
from course import Course
from dice import Dice
from games import GAMES
from rules import Illegal, Untrue
from shown import not_covered


def _fnv(data: bytes) -> str:
    """The digest of server/store/FORMAT.md."""
    digest = 14695981039346656037
    for byte in data:
        digest = (digest ^ byte) * 1099511628211 & (1 << 64) - 1
    return f"{digest:016x}"


def _printable(text: str) -> str:
    """On one line, and nothing that a terminal acts on: what a record says is a stranger's."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode()
                   for one in text)


def _expect(what: str, computed, recorded) -> None:
    if computed != recorded:
        raise Untrue(f"{what} is {computed}, and the record says {recorded}")


def verify(record: dict, shown: str | None = None):
    """The game after its last move. Raises Untrue."""
    server_seed = bytes.fromhex(record["serverSeed"])
    config = bytes.fromhex(record["config"])
    commitment = fair.commitment(server_seed, record["game"], config, record["seats"]).hex()
    _expect("the commitment", commitment, record["commitment"])
    if shown is not None:
        _expect("the commitment that was shown", shown, commitment)
    try:
        dice = Dice(fair.game_seed(server_seed, [(added["seat"], bytes.fromhex(added["bytes"]))
                                                 for added in record["contributions"]]))
    except ValueError as error:
        raise Untrue(str(error)) from error
    if "gameSeed" in record:
        seed = fair.game_seed(server_seed, [(added["seat"], bytes.fromhex(added["bytes"]))
                                            for added in record["contributions"]])
        _expect("the seed of the dice", seed.hex(), record["gameSeed"])
    game = GAMES[record["game"]].Game(config, dice)
    _expect("the number of the game's seats", len(game.scores()), record["seats"])
    for added in record["contributions"]:
        if added["seat"] >= record["seats"]:
            raise Untrue(f"seat {added['seat']} added to the dice, and the table has none such")
    course = Course(game, dice, record["seats"])
    for version, event in enumerate(record["events"], start=1):
        _expect("the next version", version, event["version"])
        if version > 1:
            try:
                course.play(event)
            except Illegal as illegal:
                raise Untrue(f"version {version} is no legal move: {illegal}") from illegal
        game = course.game
        if "scores" in event:
            _expect(f"at version {version} the score", game.scores(), event["scores"])
        _expect(f"at version {version} the digest", _fnv(game.canonical_bytes()), event["digest"])
    _expect("the result", course.ranks() if course.over() else None, record.get("ranks"))
    if "resigned" in record:
        _expect("who has given up", sorted(course.resigned), record["resigned"])
    return course.game


def main() -> int:
    """0 when all records are true."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shown", metavar="COMMITMENT", help="as it was before the first move")
    parser.add_argument("records", metavar="RECORD", nargs="+", help="a file of JSON")
    arguments = parser.parse_args()
    untrue = 0
    for path in arguments.records:
        try:
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
            answer = record if "record" in record else None
            if answer:
                record = game_record.record_of(answer)
            game = verify(record, arguments.shown)
            print(f"{path}: true, {len(record['events'])} versions, scores {game.scores()}")
            if answer:
                print(f"{path}: not covered: {', '.join(not_covered(answer['record']))}")
        except Untrue as error:
            untrue += 1
            print(f"{path}: not true: {_printable(str(error))}")
        except (OSError, ValueError, TypeError, LookupError) as error:
            untrue += 1
            print(f"{path}: not a record as README.md describes it: {error!r}")
    return 1 if untrue else 0


if __name__ == "__main__":
    sys.exit(main())
