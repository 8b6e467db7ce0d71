"""`tesela simulate` as a user runs it."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESELA = sys.argv.pop(1)
LISTED = json.loads(subprocess.run([TESELA, "bots", "--json"], capture_output=True, text=True,
                                   check=True, timeout=60).stdout)
GAMES = list(dict.fromkeys(bot["game"] for bot in LISTED))


def simulate(*arguments: str):
    return subprocess.run([TESELA, "simulate", *arguments], capture_output=True, text=True,
                          timeout=60)


def without_speed(text: str):
    """Neither the games a second nor the milliseconds a move, the last word of a bot's line."""
    *lines, head, bot, speed = text.splitlines()
    assert head.endswith("ms a move") and speed.startswith("games/s"), text
    return [*lines, bot.rsplit(" ", 1)[0]]


class Simulate(unittest.TestCase):
    def test_same_seed_same_games(self):
        runs = [simulate("2048", "--games", "50", "--seed", "a seed") for _ in range(2)]
        self.assertEqual(runs[0].returncode, 0, runs[0].stderr)
        self.assertEqual(without_speed(runs[0].stdout), without_speed(runs[1].stdout))

    def test_other_seed_other_games(self):
        runs = [simulate("2048", "--games", "50", "--seed", seed) for seed in ("a", "b")]
        self.assertNotEqual(without_speed(runs[0].stdout)[2:], without_speed(runs[1].stdout)[2:])

    def test_without_a_seed_the_summary_tells_it(self):
        first = simulate("2048", "--games", "5")
        seed = first.stdout.splitlines()[0].rsplit(" ", 1)[1]
        again = simulate("2048", "--games", "5", "--seed", seed)
        self.assertEqual(without_speed(first.stdout), without_speed(again.stdout))

    def test_options_of_the_game(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log")
            simulate("2048", "--preset", "amat", "--size", "3", "--objective", "32",
                     "--log", str(log))
            lines = [json.loads(line) for line in log.read_text().splitlines()]
        self.assertEqual(lines[0]["config"], {
            "size": 3, "weights": [{"value": 2, "per_mille": 700}, {"value": 4, "per_mille": 300}],
            "start_tiles": 2, "start_value": 2, "objective": 32, "stop_at_objective": True})
        self.assertEqual(len(lines[0]["grid"]), 3)
        self.assertIn(lines[-1]["outcome"], ("won", "lost"))

    def test_log_on_standard_output_is_nothing_but_the_log(self):
        run = simulate("2048", "--games", "2", "--log", "-", "--seed", "x")
        events = [json.loads(line)["event"] for line in run.stdout.splitlines()]
        self.assertEqual((events[0], events[-1], events.count("start")), ("start", "end", 2))
        self.assertIn("2 games played by random", run.stderr)

    def test_transcript_and_log_of_the_same_games(self):
        with tempfile.TemporaryDirectory() as folder:
            text, log = Path(folder, "text"), Path(folder, "log")
            run = simulate("2048", "--transcript", str(text), "--log", str(log), "--seed", "x")
            self.assertEqual(run.returncode, 0, run.stderr)
            moves = json.loads(log.read_text().splitlines()[-1])["moves"]
            self.assertIn(f"lost after {moves} moves", text.read_text())

    def test_delay_shows_the_boards_and_paces_them(self):
        run = simulate("2048", "--moves", "3", "--delay", "1", "--seed", "x")
        self.assertEqual(run.stdout.count("game 1  "), 4)
        self.assertIn("1 game played by random", run.stdout)


class Bots(unittest.TestCase):
    def test_any_number_of_threads_gives_the_same_json(self):
        runs = [json.loads(simulate("azul", "--bots", "greedy,uct:nodes=400", "--games", "20",
                                    "--seed", "x", "--threads", threads, "--json").stdout)
                for threads in ("1", "2", "4")]
        for run in runs:
            self.assertEqual(set(run.pop("times")), {"seconds", "games_per_second", "ms_per_move"})
        self.assertEqual(json.dumps(runs[0]), json.dumps(runs[1]))
        self.assertEqual(json.dumps(runs[0]), json.dumps(runs[2]))
        self.assertEqual([seat["bot"] for seat in runs[0]["seats"]], ["greedy", "uct:nodes=400"])
        self.assertEqual(sum(runs[0]["seats"][0]["ranks"]), 20)

    def test_any_number_of_threads_writes_the_same_log(self):
        logs = [simulate("2048", "--games", "9", "--seed", "x", "--log", "-", "--threads",
                         threads).stdout for threads in ("1", "4")]
        self.assertEqual(logs[0], logs[1])

    def test_several_bots_make_a_table_of_as_many(self):
        run = simulate("azul", "--bots", "random,diagonal,rush,safe", "--games", "5", "--json")
        self.assertEqual(len(json.loads(run.stdout)["seats"]), 4)
        one = simulate("azul", "--bots", "safe", "--players", "3", "--games", "5", "--json")
        self.assertEqual([seat["bot"] for seat in json.loads(one.stdout)["seats"]], 3 * ["safe"])

    def test_a_better_bot_wins(self):
        run = json.loads(simulate("azul", "--bots", "greedy,random", "--games", "50", "--seed",
                                  "x", "--json").stdout)
        self.assertGreater(run["seats"][0]["wins"], 0.8)


class EveryGame(unittest.TestCase):
    # Of a game without an entry the usual one is played.
    OPTIONS = {
        "2048": ["--size", "3"],
        "2248": ["--rows", "4", "--columns", "6", "--goal", "500"],
        "samegame": ["--rows", "6", "--columns", "7", "--colours", "3", "--penalty", "remaining"],
        "azul": ["--players", "4"],
    }

    def test_transcript_log_and_summary_of_the_same_games(self):
        for game in GAMES:
            options = self.OPTIONS.get(game, [])
            with self.subTest(game), tempfile.TemporaryDirectory() as folder:
                text, log = Path(folder, "text"), Path(folder, "log")
                run = simulate(game, *options, "--games", "3", "--seed", "x", "--moves", "1000",
                               "--transcript", str(text), "--log", str(log))
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertIn(f"{game}, 3 games played by random, seed ", run.stdout)
                ends = [json.loads(line) for line in log.read_text().splitlines()]
                ends = [line for line in ends if line["event"] == "end"]
                self.assertEqual(len(ends), 3)
                for end in ends:
                    self.assertIn(f"{end['outcome']} after {end['moves']} moves", text.read_text())

    def test_a_game_is_stopped_after_so_many_moves(self):
        run = simulate("azul", "--players", "4", "--games", "3", "--moves", "5")
        self.assertIn("outcome:  stopped 100.0%", run.stdout)

    def test_configuration_is_in_the_log(self):
        configs = {}
        for game, options in self.OPTIONS.items():
            run = simulate(game, *options, "--moves", "1", "--log", "-")
            configs[game] = json.loads(run.stdout.splitlines()[0])["config"]
        self.assertEqual(configs["2248"], {"rows": 4, "columns": 6, "goal": 500})
        self.assertEqual(configs["samegame"],
                         {"rows": 6, "columns": 7, "colours": 3, "penalty": "remaining"})
        self.assertEqual(configs["azul"], {"players": 4, "untiled_rounds_max": 3})

    def test_samegame_on_a_given_board(self):
        with tempfile.TemporaryDirectory() as folder:
            board = Path(folder, "board")
            board.write_text("1 2\n1 2\n1 1\n")
            run = simulate("samegame", "--board", str(board), "--log", "-", "--moves", "1")
            start = json.loads(run.stdout.splitlines()[0])
            self.assertEqual(start["grid"], [[1, 2], [1, 2], [1, 1]])
            board.write_text("1 x\n")
            run = simulate("samegame", "--board", str(board))
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("neither a digit nor a point", run.stderr)

    def test_azul_writes_each_play_in_words_and_the_table(self):
        run = simulate("azul", "--players", "3", "--transcript", "-", "--seed", "x")
        self.assertIn("\nmove 1: seat ", run.stdout)
        self.assertIn(" tile", run.stdout)
        self.assertEqual(run.stdout.count("\nfactories  0 "), run.stdout.count("\nmove ") + 1)
        self.assertIn("\nover: ", run.stdout)


class Refusals(unittest.TestCase):
    def assert_refused(self, words, *arguments):
        run = simulate(*arguments)
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(run.stdout, "")
        self.assertIn(words, run.stderr)

    def test_bad_options(self):
        self.assert_refused(f"Name the game: {', '.join(GAMES)}.")
        self.assert_refused("chess", "chess")
        self.assert_refused("A board has 2 to 8 rows and columns, not 9.", "2048", "--size", "9")
        self.assert_refused("power of two", "2048", "--objective", "100")
        self.assert_refused("they must sum to 1000", "2048", "--spawn", "2:500", "4:100")
        self.assert_refused("preset", "2048", "--preset", "nobody")
        self.assert_refused("--games", "2048", "--games", "0")
        self.assert_refused("--games", "2048", "--games", "many")
        self.assert_refused("--delay", "2048", "--delay", "-1")
        self.assert_refused("columns", "2248", "--columns", "11")
        self.assert_refused("colours", "samegame", "--colours", "10")
        self.assert_refused("played by 2, 3 or 4", "azul", "--players", "5")
        self.assert_refused("There is no strategy nobody for 2048; there are random, ", "2048",
                            "--bots", "nobody")
        self.assert_refused("There are 3 bots for 2 seats; name one for all, or one for each.",
                            "azul", "--bots", "safe,rush,safe", "--players", "2")
        self.assert_refused("neither nodes=N", "azul", "--bots", "uct:nodes=0")
        self.assert_refused("'soon' is not a time", "azul", "--time", "soon")
        self.assert_refused("--threads", "azul", "--threads", "0")

    def test_one_record_on_standard_output(self):
        self.assert_refused("can have standard output", "2048", "--log", "-", "--transcript", "-")
        self.assert_refused("can have standard output", "2048", "--log", "-", "--delay", "0")

    def test_files_that_cannot_be_written(self):
        self.assert_refused("Cannot write '/nowhere/log'.", "2048", "--log", "/nowhere/log")
        run = simulate("2048", "--games", "20", "--log", "/dev/full")
        self.assertEqual((run.returncode, run.stderr), (1, "Cannot write all of '/dev/full'.\n"))


if __name__ == "__main__":
    unittest.main()
