#!/usr/bin/env python3
"""The second verifier believes the records of the server, and no other."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import dice
import fair
from games import GAMES
from verify_record import Untrue, verify

FOLDER = pathlib.Path(__file__).parent
RECORDS = {path.stem: json.loads(path.read_text()) for path in FOLDER.glob("records/*.json")}


def flipped(text: str) -> str:
    """Another hexadecimal text of the same length."""
    return ("1" if text[0] == "0" else "0") + text[1:]


def believed(record: dict) -> bool:
    """Whether the record is true, as far as it says."""
    try:
        verify(record)
        return True
    except Untrue:
        return False


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
                         set(GAMES))

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
        for name in ("2048_usual", "2248_usual", "samegame_usual"):
            with self.subTest(name):
                verify(with_a_move_taken_back(RECORDS[name]))

    def test_only_the_last_move_is_taken_back(self):
        record = with_a_move_taken_back(RECORDS["2048_usual"])
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

    def test_seats_that_the_game_does_not_have(self):
        def forge(record):
            record["seats"] += 1
            record["commitment"] = fair.commitment(
                bytes.fromhex(record["serverSeed"]), record["game"],
                bytes.fromhex(record["config"]), record["seats"]).hex()
        self.refused(forge, "^the number of the game's seats")

    def test_a_contribution_of_no_seat(self):
        def forge(record):
            record["contributions"].append({"seat": record["seats"], "bytes": "00"})
        self.refused(forge, "^seat . added to the dice")

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
            # Another cell of the same group is no other move.
            for event in record["events"][2:]:
                record["events"][1]["move"] = event["move"]
                if not believed(record):
                    return
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

    def test_a_record_does_not_paint_its_verdict(self):
        record = copy.deepcopy(RECORDS["2048_amat"])
        record["commitment"] = "x\r\x1b[2Ktrue\x9b\u202e\ntrue"
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(record, file)
            file.flush()
            printed = self.run_on(file.name).stdout
        self.assertEqual(printed.count("\n"), 1)
        self.assertTrue(printed.rstrip("\n").isprintable(), printed)

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
