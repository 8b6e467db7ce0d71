#!/usr/bin/env python3
"""The second verifier believes the records of the server, and no other."""

import base64
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from datetime import datetime, timezone

import dice
import fair
import game_record
import shown
import wire
from verify_record import Untrue, verify

FOLDER = pathlib.Path(__file__).parent
RECORDS = {path.stem: json.loads(path.read_text()) for path in FOLDER.glob("records/*.json")}


def flipped(text: str) -> str:
    """Another hexadecimal text of the same length."""
    return ("1" if text[0] == "0" else "0") + text[1:]


class DiceOfTheGames(unittest.TestCase):
    def test_the_block_function_is_that_of_rfc_8439(self):
        # Section 2.3.2.
        block = dice.chacha20_block(bytes(range(32)), 1,
                                    bytes.fromhex("000000090000004a00000000"))
        self.assertEqual(block[:4], [0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3])
        self.assertEqual(block[-1], 0x4e3c50a2)

    def test_a_word_that_would_favour_some_numbers_is_thrown_away(self):
        drawn = dice.Dice(bytes(32))
        words = iter([0, 1 << 31])
        drawn.word = lambda: next(words)
        self.assertEqual(drawn.uniform(3), 1)


class Seeds(unittest.TestCase):
    def test_contributions_that_cannot_be_are_refused(self):
        for added in ([(1, b""), (0, b"")], [(0, b""), (0, b"")], [(0, bytes(65))]):
            with self.assertRaises(ValueError):
                fair.game_seed(bytes(32), added)


class TrueRecords(unittest.TestCase):
    def test_every_game_has_one(self):
        self.assertEqual({record["game"] for record in RECORDS.values()},
                         {"2048", "2248", "azul", "samegame"})

    def test_azul_ends_without_tiling_only_by_the_rule_of_now(self):
        now, before = RECORDS["azul_untiled"], RECORDS["azul_untiled_before"]
        self.assertEqual((now["config"], before["config"]), ("08031003", "0803"))
        self.assertIn("ranks", now)
        self.assertNotIn("ranks", before)
        self.assertGreater(len(before["events"]), len(now["events"]))
        end = len(now["events"])
        self.assertEqual([event.get("move") for event in now["events"]],
                         [event.get("move") for event in before["events"][:end]])

    def test_all_are_believed(self):
        for name, record in RECORDS.items():
            with self.subTest(name):
                verify(record, shown=record["commitment"])


def with_a_move_taken_back(record: dict) -> dict:
    """The fourth event is taken back, and played once more."""
    changed = copy.deepcopy(record)
    before, taken = changed["events"][2:4]
    undone = {"version": 5, "backTo": 3, "digest": before["digest"]}
    changed["events"][4:4] = [undone, {**taken}]
    for version, event in enumerate(changed["events"], start=1):
        event["version"] = version
    return changed


def with_a_seat_given_up(record: dict, at: int) -> dict:
    """The first seat gives up after so many events."""
    changed = copy.deepcopy(record)
    events = changed["events"][:at]
    events.append({"version": at + 1, "seat": 0, "resigned": True,
                   "digest": events[-1]["digest"], "scores": events[-1]["scores"]})
    return {**changed, "events": events}


class Courses(unittest.TestCase):
    def test_a_move_that_was_taken_back_falls_again_with_the_same_dice(self):
        for name in ("2048_classic", "2248_usual", "samegame_usual"):
            with self.subTest(name):
                verify(with_a_move_taken_back(RECORDS[name]))

    def test_only_the_last_move_is_taken_back(self):
        record = with_a_move_taken_back(RECORDS["2048_classic"])
        record["events"][4]["backTo"] = 2
        with self.assertRaisesRegex(Untrue, "^version 5 is no legal move"):
            verify(record)

    def test_at_a_table_of_several_nothing_is_taken_back(self):
        with self.assertRaisesRegex(Untrue, "^version 5 is no legal move"):
            verify(with_a_move_taken_back(RECORDS["azul_2_players"]))

    def test_who_gives_up_a_game_of_two_has_lost(self):
        record = with_a_seat_given_up(RECORDS["azul_2_players"], 10)
        verify({**record, "ranks": [2, 1]})
        with self.assertRaisesRegex(Untrue, "^the result"):
            verify({**record, "ranks": [1, 2]})

    def test_who_has_given_up_does_not_give_up_again(self):
        record = with_a_seat_given_up(RECORDS["azul_4_players"], 10)
        record["events"].append({**record["events"][-1], "version": 12})
        with self.assertRaisesRegex(Untrue, "^version 12 is no legal move"):
            verify(record)


class Forgeries(unittest.TestCase):
    """Each changes one thing of every record."""

    def refused(self, forge, why: str, records=None):
        for name, record in (records or RECORDS).items():
            forged = copy.deepcopy(record)
            forge(forged)
            with self.subTest(name), self.assertRaisesRegex(Untrue, why):
                verify(forged)

    def test_another_seed(self):
        def forge(record):
            record["serverSeed"] = flipped(record["serverSeed"])
        self.refused(forge, "^the commitment is")

    def test_another_seed_with_the_commitment_that_fits_it(self):
        def forge(record):
            seed = bytes.fromhex(flipped(record["serverSeed"]))
            record["serverSeed"] = seed.hex()
            record["commitment"] = fair.commitment(
                seed, record["game"], bytes.fromhex(record["config"]), record["seats"]).hex()
        # A given board is played without dice: only what was shown tells.
        drawn = {name: r for name, r in RECORDS.items() if name != "samegame_given"}
        self.refused(forge, "^at version 1 the digest", drawn)
        for record in RECORDS.values():
            forged = copy.deepcopy(record)
            forge(forged)
            with self.assertRaisesRegex(Untrue, "shown"):
                verify(forged, shown=record["commitment"])

    def test_other_seats(self):
        self.refused(lambda record: record.update(seats=record["seats"] % 4 + 1),
                     "^the commitment is")

    def test_a_contribution_that_was_left_out(self):
        some = {name: r for name, r in RECORDS.items() if r["contributions"]}
        self.assertTrue(some)
        self.refused(lambda record: record["contributions"].pop(), "^at version 1 the digest", some)

    def test_a_contribution_that_is_too_long(self):
        def forge(record):
            record["contributions"] = [{"seat": 0, "bytes": "00" * 65}]
        self.refused(forge, "at most 64 bytes")

    def test_a_move_that_was_left_out(self):
        self.refused(lambda record: record["events"].pop(1), "^the next version")

    def test_a_move_that_was_not_played(self):
        def forge(record):
            first, *others = [event["move"] for event in record["events"][1:]]
            record["events"][1]["move"] = next(move for move in others if move != first)
        self.refused(forge, "^(at )?version 2")

    def test_a_move_of_another_seat(self):
        def forge(record):
            record["events"][1]["seat"] = (record["events"][1]["seat"] + 1) % 4
        self.refused(forge, "^version 2 is no legal move")

    def test_a_better_score(self):
        def forge(record):
            record["events"][-1]["scores"][0] += 1
        self.refused(forge, "^at version .* the score")

    def test_another_position(self):
        def forge(record):
            record["events"][1]["digest"] = flipped(record["events"][1]["digest"])
        self.refused(forge, "^at version 2 the digest")

    def test_another_ranking(self):
        self.refused(lambda record: record.update(ranks=[9]), "^the result")

    def test_an_end_that_is_none(self):
        self.refused(lambda record: record.update(events=record["events"][:2]), "^the result",
                     {name: r for name, r in RECORDS.items() if "ranks" in r})


MESSAGES = {"2048": "Game2048", "2248": "Game2248", "samegame": "SameGame", "azul": "Azul"}
BEGUN_MS = 1_700_000_000_000


def b64(digits: str) -> str:
    """Bytes as JSON has them."""
    return base64.b64encode(bytes.fromhex(digits)).decode()


def time_of(at_ms: int) -> str:
    """A moment as JSON has it."""
    return datetime.fromtimestamp(at_ms / 1000, timezone.utc).isoformat().replace("+00:00", "Z")


def config_of(record: dict) -> dict:
    """The configuration in JSON."""
    _, names = shown.CONFIGS[record["game"]]
    found = wire.fields(bytes.fromhex(record["config"]))
    config = {"@type": f"type.googleapis.com/tesela.game.v1.{MESSAGES[record['game']]}Config"}
    for name, number in names.items():
        if isinstance(number, tuple):
            config[name] = [{inner: wire.fields(one)[at][0] for inner, at in number[1].items()}
                            for one in found.get(number[0], [])]
        elif name == "cells":
            config[name] = [one for packed in found.get(number, []) for one in wire.varints(packed)]
        elif number in found:
            config[name] = found[number][0]
    if "penalty" in config:
        config["penalty"] = shown.PENALTIES[config["penalty"]]
    if "stopAtObjective" in config:
        config["stopAtObjective"] = bool(config["stopAtObjective"])
    return config


def answer_of(record: dict) -> dict:
    """What GetRecord would answer of a record of this folder."""
    added = [one["seat"] for one in record["contributions"]]
    contributed = [(one["seat"], bytes.fromhex(one["bytes"])) for one in record["contributions"]]
    seats = [{"seat": seat, "playerId": "p", "displayName": "n", "strategy": "s", "bot": seat == 0,
              **({"contribution": "CONTRIBUTION_STATE_AFTER_COMMITMENT"} if seat in added else {})}
             for seat in range(record["seats"])]
    moves = []
    message = MESSAGES[record["game"]]
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
                                    + shown.NOT_COVERED_SAMEGAME
                                    + shown.NOT_COVERED_RESIGNED))

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

    def test_times_that_run_backwards_are_found(self):
        for record in RECORDS.values():
            answer = answer_of(record)
            moves = answer["record"]["moves"]
            moves[-1]["atMs"] = str(BEGUN_MS)
            with self.assertRaises(Untrue):
                game_record.record_of(answer)


class Program(unittest.TestCase):
    def run_on(self, *arguments: str):
        return subprocess.run([sys.executable, FOLDER / "verify_record.py", *arguments],
                              capture_output=True, text=True, check=False)

    def test_says_what_is_true(self):
        done = self.run_on(str(FOLDER / "records/2048_amat.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"2048_amat.json: true, \d+ versions, scores \[\d+\]\n$")

    def test_says_what_is_not(self):
        done = self.run_on("--shown", "00" * 32, str(FOLDER / "records/2048_amat.json"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("not true: the commitment that was shown", done.stdout)

    def test_says_what_is_no_record(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            for text in ("", "[]", "{}", '{"serverSeed": 1}'):
                file.seek(0)
                file.truncate()
                file.write(text)
                file.flush()
                done = self.run_on(file.name)
                self.assertEqual(done.returncode, 1)
                self.assertIn("not a record", done.stdout)


if __name__ == "__main__":
    unittest.main()
