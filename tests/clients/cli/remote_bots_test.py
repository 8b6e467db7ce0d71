"""`tesela tournament` against remote bots: the kit with azul_engine.py, and odd_bot.py."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESELA = sys.argv.pop(1)
# Debian's, which has python3-grpcio.
PYTHON = "/usr/bin/python3"
TIMEOUT_S = 90
# kWaitingMessagesMax of clients/cli/tools/remote_visit.h.
MESSAGES_MAX = 128


SETTINGS = """
server = "localhost:1"
token_file = "token"
[[bot]]
game = "azul"
name = "python"
engine = ["%s"]
"""


def make_package(into: str):
    """The library for Python with the contract, as clients/python/build.sh makes it, and with what
    odd_bot.py needs of gRPC."""
    shutil.copytree("clients/python/src", into, dirs_exist_ok=True)
    plugin = shutil.which("grpc_python_plugin")
    protoc = ["protoc", "--proto_path", "proto"]
    files = [str(file) for file in Path("proto/tesela").rglob("*.proto")]
    subprocess.run([*protoc, "--python_out", into, *files], check=True)
    subprocess.run([*protoc, "--grpc_python_out", into,
                    f"--plugin=protoc-gen-grpc_python={plugin}",
                    "proto/tesela/bot/v1/bot.proto"], check=True)
    engine = Path("clients/bots/azul_engine.py").resolve()
    Path(into, "bots.toml").write_text(SETTINGS % engine, "utf-8")


class Outside(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        package = tempfile.TemporaryDirectory()
        cls.addClassCleanup(package.cleanup)
        make_package(package.name)
        cls.package = package.name

    def tournament(self, bots: str, games: str, threads="2", bot=()):
        """Its JSON, what it says besides, and what the bot says; `bot` is the arguments of
        odd_bot.py, or the kit plays."""
        name = "odd" if bot else "python"
        command = [TESELA, "tournament", "azul", "--bots", bots, "--games", games, "--seed", "x",
                   "--threads", threads, "--listen", "localhost:0", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as tesela:
            self.addCleanup(tesela.kill)
            waiting = tesela.stderr.readline()
            port, = re.findall(rf"^Waiting for ext/{name} at localhost:(\d+)\.$", waiting)
            address = f"localhost:{port}"
            program = (["tests/clients/cli/odd_bot.py", address, *bot] if bot else
                       ["-m", "tesela.bots", f"{self.package}/bots.toml", "--tournament", address])
            environment = {**os.environ, "PYTHONPATH": self.package}
            with subprocess.Popen([PYTHON, *program], env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as player:
                self.addCleanup(player.kill)
                try:
                    answer, said = tesela.communicate(timeout=TIMEOUT_S)
                except subprocess.TimeoutExpired:
                    tesela.kill()
                    self.fail("the tournament does not end")
                finally:
                    player.kill()
                told = player.stdout.read()
        self.assertEqual(tesela.returncode, 0, said)
        return json.loads(answer), said, told

    def test_it_plays_as_its_author_wrote_it(self):
        table, said, _ = self.tournament("random,ext/python:time=20s", "20")
        self.assertEqual(said, "", "no move was late or illegal")
        bots = {bot["bot"]: bot for bot in table["bots"]}
        self.assertEqual(set(bots), {"random", "ext/python:time=20s"})
        self.assertGreater(bots["ext/python:time=20s"]["wins"], 0.7)
        self.assertEqual(bots["ext/python:time=20s"]["missed"], 0)
        self.assertLess(bots["ext/python:time=20s"]["low"], bots["ext/python:time=20s"]["high"])

    def test_a_move_that_comes_too_late_is_made_for_it_and_told(self):
        table, said, _ = self.tournament("greedy,ext/python:time=1us", "2")
        self.assertEqual(table["games"], 2)
        self.assertRegex(said, r"^ext/python:time=1us: \d+ of its \d+ moves did not come in time")
        bot = table["bots"][1]
        self.assertGreater(bot["missed"], 0)
        self.assertTrue(bot["rating_in_doubt"])

    def test_a_bot_that_reads_nothing_is_cut_off_when_too_many_messages_wait(self):
        table, said, _ = self.tournament("random,ext/odd:time=50ms", "8", bot=["mute"])
        self.assertEqual(table["bots"][1]["missed"], table["bots"][1]["moves"])
        self.assertIn("ext/odd did not read what was sent to it, and its stream was ended.", said)

    def test_a_bot_that_reads_nothing_is_cut_off_when_a_message_is_not_sent(self):
        # Of one thread there are two messages for each move: the question, and that it is too late.
        # So there are never as many as end the stream by their number.
        table, said, _ = self.tournament("random,ext/odd:time=200ms", "2", threads="1",
                                         bot=["mute"])
        self.assertLess(2 * table["bots"][1]["moves"], MESSAGES_MAX)
        self.assertEqual(table["bots"][1]["missed"], table["bots"][1]["moves"])
        self.assertIn("ext/odd did not read what was sent to it", said)

    def test_a_wrong_answer_is_dismissed_as_on_a_server(self):
        table, _, told = self.tournament("random,ext/odd:time=100ms", "2", bot=["wrong"])
        self.assertEqual(table["bots"][1]["missed"], table["bots"][1]["moves"])
        self.assertIn("There is no such request, or it has ended.", told)
        self.assertIn("The move must be a tesela.game.v1.AzulMove, "
                      "not 'tesela.game.v1.Game2048Move'.", told)
        self.assertIn("factory", told.casefold(), "why a move is illegal")
        self.assertIn("Too late.", told)

    def test_a_second_offer_ends_the_stream_as_on_a_server(self):
        # The other bot takes its time, so that the games go on until the status has come.
        _, _, told = self.tournament("uct:time=50ms,ext/odd:time=100ms", "2", bot=["again"])
        self.assertIn("INVALID_ARGUMENT The first message is an Offer", told)

    def test_no_more_than_64_questions_are_open(self):
        _, _, told = self.tournament("safe,ext/odd:time=60min", "100", threads="100",
                                     bot=["count"])
        self.assertEqual(told, "open: 64\n")

    def test_what_cannot_be_played_is_refused_before_a_bot_is_waited_for(self):
        for bots, why in (("ext/My_Bot,random", "The bot 'ext/My_Bot' cannot be offered"),
                          ("ext/python,greatest", "There is no strategy greatest for azul"),
                          ("ext/python", "needs 2 to 32 bots, not 1.")):
            run = subprocess.run([TESELA, "tournament", "azul", "--bots", bots, "--listen",
                                  "localhost:0"], capture_output=True, text=True, timeout=30,
                                 check=False)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertIn(why, run.stderr)
            self.assertNotIn("Waiting", run.stderr)

    def test_an_address_that_cannot_be_had_is_refused(self):
        run = subprocess.run([TESELA, "tournament", "azul", "--bots", "safe,ext/python",
                              "--listen", "nowhere.invalid:1"], capture_output=True, text=True,
                             timeout=30, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("Cannot listen at nowhere.invalid:1.", run.stderr)


if __name__ == "__main__":
    unittest.main()
