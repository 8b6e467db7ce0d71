#!/usr/bin/env python3
"""Of what GetRecord answers every field is checked, or named as not covered."""

import base64
import copy
import re
import unittest
from datetime import datetime, timezone

import dice
import fair
import game_record
import shown
import verify_record
import wire
from games import GAMES
from verify_record import Untrue, verify
from verify_test import RECORDS, with_a_seat_given_up

BEGUN_MS = 1_700_000_000_000


def b64(digits: str) -> str:
    """Bytes as JSON has them."""
    return base64.b64encode(bytes.fromhex(digits)).decode()


def time_of(at_ms: int) -> str:
    """A moment as JSON has it."""
    return datetime.fromtimestamp(at_ms / 1000, timezone.utc).isoformat().replace("+00:00", "Z")


def config_of(record: dict) -> dict:
    """The configuration in JSON."""
    game = GAMES[record["game"]]
    found = wire.fields(bytes.fromhex(record["config"]))
    config = {"@type": f"type.googleapis.com/tesela.game.v1.{game.MESSAGES}Config"}
    for name, entry in game.CONFIG.items():
        number, kind = wire.field_of(entry)
        values = found.get(number, [])
        if isinstance(kind, dict):
            config[name] = [{inner: wire.fields(one)[at][0] for inner, at in kind.items()}
                            for one in values]
        elif kind is list:
            config[name] = [one for packed in values for one in wire.varints(packed)]
        elif values:
            config[name] = kind[values[0]] if isinstance(kind, tuple) else kind(values[0])
    return config


def answer_of(record: dict) -> dict:
    """What GetRecord would answer of a record of this folder."""
    added = [one["seat"] for one in record["contributions"]]
    contributed = [(one["seat"], bytes.fromhex(one["bytes"])) for one in record["contributions"]]
    seats = [{"seat": seat, "playerId": "p", "displayName": "n", "strategy": "s",
              "bot": seat == 0 and seat not in added,
              **({"contribution": "CONTRIBUTION_STATE_AFTER_COMMITMENT"} if seat in added else {})}
             for seat in range(record["seats"])]
    moves = []
    message = GAMES[record["game"]].MESSAGES
    for event in record["events"][1:]:
        moves.append({"version": str(event["version"]), "seat": event["seat"], "moveId": "m",
                      "atMs": str(BEGUN_MS + event["version"] * 1000), "strategy": "s",
                      "spentMs": "1", "timedOut": True,
                      "move": {"@type": f"{shown.ANY}tesela.game.v1.{message}Move",
                               **event.get("move", {})},
                      "digest": str(int(event["digest"], 16))})
        if event.get("resigned"):
            moves[-1]["move"] = {"@type": "type.googleapis.com/tesela.play.v1.Resigned",
                                 "claimedBy": 3}
            for name in ("strategy", "spentMs", "timedOut"):
                del moves[-1][name]
    table = {"tableId": "t", "game": record["game"], "config": config_of(record), "seats": seats,
             "state": "TABLE_STATE_CLOSED", "createdAt": time_of(BEGUN_MS - 10_000),
             "endedAt": time_of(BEGUN_MS + (len(moves) + 1) * 1000), "ownerId": "p",
             "seatCount": record["seats"], "options": {"autoplay": "safe"}, "assisted": True,
             "commitment": b64(record["commitment"]), "dailyDate": "2026-11-21"}
    if "ranks" in record:
        scores = record["events"][-1]["scores"]
        table["state"] = "TABLE_STATE_OVER"
        table["result"] = {"standings": [
            {"seat": seat, "points": str(scores[seat]), "rank": rank, "resigned": False}
            for seat, rank in enumerate(record["ranks"])]}
    seed = fair.game_seed(bytes.fromhex(record["serverSeed"]), contributed)
    return {"record": {
        "table": table, "serverSeed": b64(record["serverSeed"]), "gameSeed": b64(seed.hex()),
        "contributions": [{"seat": one["seat"], "bytes": b64(one["bytes"])}
                          for one in record["contributions"]],
        "dealtAtMs": str(BEGUN_MS), "config": b64(record["config"]), "moves": moves,
        "firstDigest": str(int(record["events"][0]["digest"], 16))}}


def other(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str) and value.isdigit():
        return str(int(value) + 1)
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", value):
        return time_of(round(datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp()
                             * 1000) + 1)
    return ("A" if value[:1] != "A" else "B") + value[1:]


def alterations(value, path=()):
    """Every place in a message and what to put there: a value changed, a field or an item added,
    one left out. Of long lists the first, one in the middle and the last."""
    if isinstance(value, dict):
        yield path, {**value, "unheardOf": 1}
        for name, inner in value.items():
            if inner not in (0, "0", False, []):  # what is left out is that
                items = "[]" if isinstance(inner, list) else ""
                without = {key: one for key, one in value.items() if key != name}
                yield path + (name + items,), without
            for at, changed in alterations(inner, path + (name,)):
                yield at, {**value, name: changed}
    elif isinstance(value, list):
        if value:
            yield (*path[:-1], path[-1] + "[]"), value[:-1]
            yield (*path[:-1], path[-1] + "[]"), value + value[-1:]
        for index in sorted({0, len(value) // 2, len(value) - 1} & set(range(len(value)))):
            for at, changed in alterations(value[index], path):
                yield at, [*value[:index], changed, *value[index + 1:]]
    else:
        yield path, other(value)


class Answers(unittest.TestCase):
    """What GetRecord answers: every field is checked, or named as not covered."""

    def test_are_believed(self):
        for name, record in RECORDS.items():
            with self.subTest(name):
                verify(game_record.record_of(answer_of(record)), shown=record["commitment"])

    def test_whatever_is_altered_is_found_or_named(self):
        named = set()
        given_up = with_a_seat_given_up(RECORDS["azul_4_players"], 10)
        del given_up["ranks"]
        for name, record in {**RECORDS, "a seat given up": given_up}.items():
            answer = answer_of(record)["record"]
            for path, altered in alterations(answer):
                if altered == answer:
                    continue
                field = ".".join(path)
                entry = next((known for known in shown.not_covered(answer)
                              if field == known or field.startswith(known + ".")), None)
                try:
                    verify(game_record.record_of({"record": altered}))
                except (Untrue, ValueError, TypeError, LookupError):
                    continue
                self.assertIsNotNone(entry, f"{name}: {field} was altered, and nobody noticed")
                named.add(entry)
        self.assertEqual(named, set(shown.NOT_COVERED + shown.NOT_COVERED_CLOSED
                                    + shown.NOT_COVERED_RESIGNED
                                    + sum((getattr(game, "NOT_COVERED", ())
                                           for game in GAMES.values()), ())))

    def test_without_its_promise_a_record_is_not_true(self):
        for name, record in RECORDS.items():
            answer = answer_of(record)
            del answer["record"]["serverSeed"]
            del answer["record"]["table"]["commitment"]
            with self.subTest(name), self.assertRaisesRegex(Untrue, "no promise of the server"):
                verify(game_record.record_of(answer))

    def test_half_a_promise_is_none(self):
        for name, record in RECORDS.items():
            for field in ("serverSeed", "gameSeed", "commitment"):
                answer = answer_of(record)
                holder = answer["record"]
                del (holder["table"] if field == "commitment" else holder)[field]
                with self.subTest(name), self.assertRaisesRegex(Untrue, f"has no {field}"):
                    verify(game_record.record_of(answer))

    def dealt_anew(self, answer: dict) -> dict:
        """What an operator writes who has chosen other contributions: the dice follow from them,
        and the game was closed before its first move."""
        record = copy.deepcopy(answer["record"])
        added = [(one["seat"], base64.b64decode(one["bytes"])) for one in record["contributions"]]
        seed = fair.game_seed(base64.b64decode(record["serverSeed"]), added)
        game = GAMES[record["table"]["game"]].Game(base64.b64decode(record["config"]),
                                                   dice.Dice(seed))
        digest = verify_record._fnv(game.canonical_bytes())  # pylint: disable=protected-access
        record.update(moves=[], gameSeed=b64(seed.hex()), firstDigest=str(int(digest, 16)))
        record["table"].pop("result", None)
        record["table"].update(state="TABLE_STATE_CLOSED")
        return {"record": record}

    def test_a_contribution_is_that_of_a_player_of_the_table(self):
        for name, record in RECORDS.items():
            for states in (True, False):
                honest = answer_of(record)
                for seat in honest["record"]["table"]["seats"]:
                    if not states:
                        seat.pop("contribution", None)
                verify(game_record.record_of(self.dealt_anew(honest)))
                bots = [seat["seat"] for seat in honest["record"]["table"]["seats"] if seat["bot"]]
                for forged_seat in (record["seats"], *bots):
                    forged = copy.deepcopy(honest)
                    kept = [one for one in forged["record"]["contributions"]
                            if one["seat"] < forged_seat]
                    forged["record"]["contributions"] = [
                        *kept, {"seat": forged_seat, "bytes": b64("00" * 4)}]
                    with self.subTest(name), self.assertRaisesRegex(Untrue, "added to the dice"):
                        verify(game_record.record_of(self.dealt_anew(forged)))

    def test_without_states_the_contributions_are_not_covered(self):
        record = answer_of(RECORDS["azul_4_players"])["record"]
        self.assertNotIn("contributions", shown.not_covered(record))
        for seat in record["table"]["seats"]:
            seat.pop("contribution", None)
        self.assertIn("contributions", shown.not_covered(record))

    def test_times_that_run_backwards_are_found(self):
        for record in RECORDS.values():
            answer = answer_of(record)
            moves = answer["record"]["moves"]
            moves[-1]["atMs"] = str(BEGUN_MS)
            with self.assertRaises(Untrue):
                game_record.record_of(answer)


if __name__ == "__main__":
    unittest.main()
