"""`tesela bots`, `hint`, `tournament` and `solve` as a user runs them."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom
from pathlib import Path

TESELA = sys.argv.pop(1)
POSITIONS = "tests/vectors/samegame20.txt"


def tesela(*arguments: str, given: str = ""):
    return subprocess.run([TESELA, *arguments], capture_output=True, text=True, timeout=60,
                          input=given)


def names():
    """Of all games, as refusals list them."""
    listed = json.loads(tesela("bots", "--json").stdout)
    return ", ".join(dict.fromkeys(bot["game"] for bot in listed))


def vectors(name: str):
    with open(f"tests/vectors/{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Command(unittest.TestCase):
    def assert_refused(self, words, *arguments, given=""):
        run = tesela(*arguments, given=given)
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(run.stdout, "")
        self.assertIn(words, run.stderr)

    def answer(self, *arguments, given=""):
        """What is on standard output as JSON, without what depends on the machine."""
        run = tesela(*arguments, "--json", given=given)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        answer = json.loads(run.stdout)
        if isinstance(answer, dict):
            answer.pop("times", None)
        return answer


class Bots(Command):
    def test_every_strategy_has_a_line(self):
        listed = self.answer("bots")
        self.assertEqual(len(tesela("bots").stdout.splitlines()), 1 + len(listed))
        self.assertIn({"game": "azul", "name": "uct", "level": 4, "level_name": "hard",
                       "thinks": True,
                       "measure": "share of the others left behind",
                       "text": "Judges moves by random ends of the round."}, listed)

    def test_every_level_has_its_name(self):
        levels = {(bot["level"], bot["level_name"]) for bot in self.answer("bots")}
        self.assertEqual(levels, {(0, ""), (1, "beginner"), (2, "easy"), (3, "medium"),
                                  (4, "hard"), (5, "expert")})
        self.assertIn("4 hard", tesela("bots", "azul").stdout)

    def test_of_one_game(self):
        self.assertEqual({bot["game"] for bot in self.answer("bots", "2248")}, {"2248"})
        self.assert_refused(f"There is no game chess; there are {names()}.",
                            "bots", "chess")


class Hint(Command):
    PATH = {"cols": 3, "grid": [8, 4, 32, 64, 2, 16, 128, 2, 64]}

    def test_2248_shows_both_hints(self):
        run = tesela("hint", "2248", "--strategy", "max-path,max-adjacent",
                     given=json.dumps(self.PATH))
        self.assertEqual(run.stdout, """\
max-path: chain 2,1 1,1 0,1 0,0 (value of the tile: 16)
max-adjacent: chain 2,1 1,1 (value of the tile: 4)
""")
        none = {"cols": 2, "grid": [2, 32, 2, 8]}
        run = tesela("hint", "2248", "--strategy", "max-adjacent", given=json.dumps(none))
        self.assertEqual(run.stdout, "max-adjacent: nothing of its kind\n")

    def test_2248_values_are_those_of_the_vectors(self):
        for kind, strategy in (("max_path", "max-path"), ("max_adjacent", "max-adjacent")):
            for vector in [v for v in vectors("2248") if v["kind"] == kind and v["value"]][:10]:
                hint, = self.answer("hint", "2248", "--strategy", strategy,
                                    given=json.dumps(vector))
                self.assertEqual(hint["value"], vector["value"])
                self.assertGreater(len(hint["move"]["chain"]), 1)

    def test_azul_move_is_one_of_the_legal_ones(self):
        for vector in [v for v in vectors("azul") if v["kind"] == "legal" and v["moves"]][:10]:
            for given in (vector, vector["state"]):
                for hint in self.answer("hint", "azul", "--strategy", "greedy,safe,uct",
                                        "--nodes", "500", given=json.dumps(given)):
                    self.assertIn(hint["move"]["played"], vector["moves"])

    def test_samegame_and_2048(self):
        asked = next(v for v in vectors("samegame") if v["groups"])
        hint, = self.answer("hint", "samegame", "--nodes", "500", given=json.dumps(asked))
        self.assertIn(hint["move"]["cell"], [cell for group in asked["groups"] for cell in group])
        hint, = self.answer("hint", "2048", "--nodes", "500", given='{"grid": [[2, 4], [2, 8]]}')
        self.assertIn(hint["move"]["direction"], ("up", "down"))

    def test_the_best_moves_are_shown_with_their_values(self):
        given = '{"grid": [[0, 0, 0, 0], [0, 2, 4, 0], [0, 8, 2, 0], [0, 0, 0, 0]]}'
        ask = ("hint", "2048", "--strategy", "expectimax", "--nodes", "2000")
        self.assertRegex(tesela(*ask, given=given).stdout, re.compile(
            r"^expectimax: \w+ \(worth of the boards ahead: 100 %\)\n"
            r"(  or \w+ \(\d+(\.\d\d)? %\)\n){2}\Z"))
        hint, = self.answer(*ask, "--best", "9", given=given)
        values = [hint["value"], *(other["value"] for other in hint["others"])]
        self.assertEqual(values, sorted(values, reverse=True))
        directions = {one["move"]["direction"] for one in (hint, *hint["others"])}
        self.assertEqual(directions, {"left", "right", "up", "down"})
        hint, = self.answer(*ask, "--best", "1", given=given)
        self.assertEqual(hint["others"], [])
        self.assert_refused("--best", *ask, "--best", "0", given=given)

    def test_azul_values_are_shares(self):
        asked = next(v for v in vectors("azul") if v["kind"] == "legal" and len(v["moves"]) > 2)
        run = tesela("hint", "azul", "--nodes", "5000", "--seed", "x", given=json.dumps(asked))
        self.assertRegex(run.stdout.splitlines()[0],
                         r"^search: .+ \(share of the others left behind: \d+(\.\d)? %\)$")

    def test_the_same_seed_and_nodes_give_the_same_advice(self):
        asked = json.dumps(next(v for v in vectors("azul") if v["kind"] == "legal"))
        advice = [self.answer("hint", "azul", "--nodes", "2000", "--seed", "x", given=asked)
                  for _ in range(2)]
        self.assertEqual(advice[0], advice[1])

    def test_refusals(self):
        self.assert_refused(f"Name the game: {names()}.", "hint")
        for given in ("", "[]", "{"):
            self.assert_refused("Standard input is not a JSON object", "hint", "2048", given=given)
        self.assert_refused("'grid' must be a list of rows.", "hint", "2048", given="{}")
        self.assert_refused("'cols' must be a whole number", "hint", "2248", given="{}")
        self.assert_refused("'board' must be a list of rows", "hint", "samegame", given="{}")
        self.assert_refused("'players'", "hint", "azul", given="{}")
        self.assert_refused("There is no strategy best for 2248", "hint", "2248", "--strategy",
                            "best", given=json.dumps(self.PATH))
        self.assert_refused("The game is over", "hint", "2048", given='{"grid": [[2, 4], [4, 2]]}')
        self.assert_refused("longer than 1 MiB", "hint", "2048", given="{" + " " * (1 << 20) + "}")


class Tournament(Command):
    BOTS = ("tournament", "azul", "--bots", "random,greedy,uct:nodes=200,uct:nodes=201", "--seed",
            "x")
    AZUL = (*BOTS, "--games", "13")

    def test_any_number_of_threads_gives_the_same_table(self):
        tables = [self.answer(*self.BOTS, "--games", "115", "--threads", threads)
                  for threads in ("1", "2", "4")]
        self.assertEqual(json.dumps(tables[0]), json.dumps(tables[1]))
        self.assertEqual(json.dumps(tables[0]), json.dumps(tables[2]))
        self.assertEqual((tables[0]["games"], tables[0]["deals"]), (120, 10), "whole deals")
        for bot in tables[0]["bots"]:
            self.assertLess(bot["low"], bot["elo"])
            self.assertLess(bot["elo"], bot["high"])
            self.assertEqual(sum(bot["ranks"]), 10 * 6)

    def test_one_sided_games_have_an_interval_too(self):
        table = self.answer("tournament", "azul", "--bots", "greedy,random", "--games", "100",
                            "--seed", "x")
        for bot in table["bots"]:
            self.assertLess(bot["low"], bot["elo"] - 50)
            self.assertGreater(bot["high"], bot["elo"] + 50)

    def test_few_deals_have_no_interval(self):
        for bot in self.answer(*self.AZUL)["bots"]:
            self.assertEqual((bot["low"], bot["high"]), (None, None))
        run = tesela(*self.AZUL)
        self.assertIn("No intervals: they need 10 deals; --games 120 plays as many.\n", run.stdout)

    def test_four_at_a_table(self):
        table = self.answer(*self.AZUL, "--seats", "4")
        self.assertEqual((table["seats"], table["games"]), (4, 16))
        self.assertEqual({len(bot["ranks"]) for bot in table["bots"]}, {4})

    def test_a_level_plays_as_its_first_strategy(self):
        levels, names = (self.answer("tournament", "2248", "--bots", bots, "--games", "4",
                                     "--seed", "x", "--nodes", "50")
                         for bots in ("beginner,easy", "glance,max-path"))
        for by_level, by_name in zip(levels["bots"], names["bots"]):
            self.assertEqual(by_level["points"], by_name["points"])

    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "elo.svg")
            self.answer("tournament", "azul", "--bots", "random,greedy,uct:nodes=201", "--games",
                        "60", "--seed", "x", "--svg", str(path))
            texts = [text.firstChild.data for text in
                     xml.dom.minidom.parse(str(path)).getElementsByTagName("text")]
        self.assertIn("uct:nodes=201", texts)
        self.assertIn("azul, 2 seats, 60 games: Elo with 95 % intervals", texts)

    def test_a_game_of_one_seat(self):
        table = self.answer("tournament", "2048", "--bots", "random,expectimax-2", "--games", "10",
                            "--seed", "x")
        self.assertEqual([bot["wins"] for bot in table["bots"]], [0, 1])

    def test_refusals(self):
        bots = ("tournament", "azul", "--bots")
        self.assert_refused("Name the game: ", "tournament")
        self.assert_refused("needs 2 to 32 bots, not 1.", *bots, "random")
        self.assert_refused("needs 2 to 32 bots, not 0.", "tournament", "azul")
        self.assert_refused("at tables of 4 needs 4 to 32 bots, not 2.", *bots, "random,safe",
                            "--seats", "4")
        self.assert_refused("The bot 'safe' is named twice", *bots, "safe,random,safe")
        self.assert_refused("played by 2, 3 or 4", *bots, "safe,random", "--seats", "5")
        self.assert_refused("This game has 1 seat, not 2.", "tournament", "2048", "--bots",
                            "random,expectimax", "--seats", "2")
        self.assert_refused("Cannot write '/nowhere/elo.svg'.", *bots, "safe,random", "--games",
                            "2", "--svg", "/nowhere/elo.svg")


class Train(Command):
    def test_any_number_of_threads_prints_the_same_weights(self):
        for arguments in (("azul", "--games", "6", "--nodes", "60", "--from-nothing"),
                          ("2048", "--games", "2", "--generations", "2", "--depth", "1"),
                          ("2248", "--games", "2", "--generations", "2", "--nodes", "20",
                           "--moves", "20")):
            runs = [tesela("train", *arguments, "--threads", threads) for threads in ("1", "3")]
            self.assertEqual([run.returncode for run in runs], [0, 0], runs[0].stderr)
            self.assertEqual(runs[0].stdout, runs[1].stdout)
            self.assertGreater(len(runs[0].stdout.splitlines()), 1)

    def test_azul_prints_weights_for_each_number_of_rounds_left(self):
        run = tesela("train", "azul", "--games", "6", "--nodes", "60")
        lines = [line for line in run.stdout.splitlines() if not line.startswith("//")]
        self.assertEqual([line.count("F,") for line in lines], [42] * 5 + [5] + [100] * 5)
        self.assertIn("// 1 rounds left: ", run.stdout)

    def test_refusals(self):
        self.assert_refused("Name the game: azul, 2048, 2248.", "train")
        self.assert_refused("--games", "train", "azul", "--games", "0")


class Solve(Command):
    SOLVE = ("solve", "samegame", "--positions")

    def test_the_moves_give_the_scores(self):
        for strategy in ("colour-priority", "uct", "search"):
            solved = self.answer(*self.SOLVE, POSITIONS, "--strategy", strategy, "--nodes", "3000")
            self.assertEqual(len(solved["positions"]), 20)
            rows = [line.split() for line in Path(POSITIONS).read_text().splitlines()
                    if line and not line.startswith("#")]
            for number, position in enumerate(solved["positions"][:3]):
                board = [[int(cell) for cell in row] for row in rows[15 * number:15 * number + 15]]
                self.assertEqual(self.replayed(board, position["moves"]), position["best"])
            self.assertEqual(solved["total"]["best"], sum(p["best"] for p in solved["positions"]))

    def replayed(self, board, moves):
        """The score by the answers of `tesela rules` alone, which knows another penalty."""
        score = 0
        for move in moves:
            run = tesela("rules", given=json.dumps(
                {"kind": "move", "id": 0, "board": board, "move": move}) + "\n")
            answer = json.loads(run.stdout)
            self.assertTrue(answer["valid"])
            board = answer["after"]
            score += (answer["group_size"] - 2) ** 2
        self.assertTrue(answer["game_over"])
        if answer["cleared"]:
            return score + 1000
        left = [sum(row.count(colour) for row in board) for colour in range(5)]
        return score - sum((count - 2) ** 2 for count in left if count)

    def test_the_same_seed_gives_the_same_games_on_any_number_of_threads(self):
        runs = [self.answer(*self.SOLVE, POSITIONS, "--games", "3", "--seed", "x", "--nodes",
                            "2000", "--threads", threads) for threads in ("1", "4")]
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0]["strategy"], "search", "the strongest, where none is named")

    def test_threads_without_a_game_search_too_and_the_best_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            one = Path(folder, "one.txt")
            rows = [line for line in Path(POSITIONS).read_text().splitlines()
                    if line and not line.startswith("#")]
            one.write_text("\n".join(rows[:15]) + "\n")

            def solved(threads, *more):
                return self.answer(*self.SOLVE, one, "--seed", "x", "--nodes", "4000",
                                   "--threads", threads, *more)

            best = [solved(threads)["total"]["best"] for threads in ("1", "2", "3", "8")]
            self.assertEqual(best, sorted(best), "a thread more can only find a better game")
            self.assertLess(best[0], best[-1])
            self.assertEqual(solved("8"), solved("8"))
            self.assertEqual(solved("3", "--games", "3"), solved("1", "--games", "3"))
            random = [solved(threads, "--strategy", "random") for threads in ("1", "8")]
            self.assertEqual(random[0], random[1], "only a bot that plans is asked again")

    def test_table_has_a_line_for_each_position_and_a_total(self):
        lines = tesela(*self.SOLVE, POSITIONS, "--strategy", "random").stdout.splitlines()
        self.assertEqual(lines[0], "random, 1 game a position")
        self.assertEqual(len(lines), 2 + 20 + 1)
        self.assertTrue(re.fullmatch(r" *total +-?\d+\.\d +-?\d+", lines[-1]), lines[-1])

    def test_refusals(self):
        self.assert_refused("Name the game: samegame.", "solve")
        self.assert_refused("--positions is required", "solve", "samegame")
        self.assert_refused("Cannot read '/nowhere/x'.", *self.SOLVE, "/nowhere/x")
        self.assert_refused("which is no colour from 0 to 8", *self.SOLVE, "README.md")
        self.assert_refused("There is no strategy best for samegame", *self.SOLVE, POSITIONS,
                            "--strategy", "best")


if __name__ == "__main__":
    unittest.main()
