"""`tesela tournament` against a remote bot: the bot of clients/bots, as it is."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESELA = sys.argv.pop(1)
# Debian's, which has python3-grpcio.
PYTHON = "/usr/bin/python3"


def generate_contract(into: str):
    """What clients/bots/generate_python.sh makes, in a folder of its own."""
    plugin = subprocess.run(["which", "grpc_python_plugin"], capture_output=True, text=True,
                            check=True).stdout.strip()
    folders = ("bot", "game", "lobby", "play")
    files = [str(file) for folder in folders
             for file in Path("proto/tesela", folder).rglob("*.proto")]
    subprocess.run(["protoc", "--proto_path", "proto", "--python_out", into,
                    "--grpc_python_out", into, "--plugin", f"protoc-gen-grpc_python={plugin}",
                    *files], check=True)


class Outside(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.contract = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.contract.cleanup)
        generate_contract(cls.contract.name)

    def tournament(self, bots: str, games: str):
        """Its JSON and what it says besides, with a bot that is called python."""
        command = [TESELA, "tournament", "azul", "--bots", bots, "--games", games, "--seed", "x",
                   "--threads", "2", "--listen", "localhost:0", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as tesela:
            self.addCleanup(tesela.kill)
            waiting = tesela.stderr.readline()
            port, = re.findall(r"^Waiting for ext/python at localhost:(\d+)\.$", waiting)
            environment = {**os.environ, "PYTHONPATH": self.contract.name}
            with subprocess.Popen([PYTHON, "clients/bots/azul_bot.py", f"localhost:{port}",
                                   "--name", "python"], env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as bot:
                self.addCleanup(bot.kill)
                answer, said = tesela.communicate(timeout=90)
                bot.kill()
        self.assertEqual(tesela.returncode, 0, said)
        return json.loads(answer), said

    def test_it_plays_as_its_author_wrote_it(self):
        table, said = self.tournament("random,ext/python:time=20s", "10")
        self.assertEqual(said, "", "no move was late or illegal")
        bots = {bot["bot"]: bot for bot in table["bots"]}
        self.assertEqual(set(bots), {"random", "ext/python:time=20s"})
        self.assertGreater(bots["ext/python:time=20s"]["wins"], 0.7)

    def test_a_move_that_comes_too_late_is_made_for_it_and_told(self):
        table, said = self.tournament("greedy,ext/python:time=1us", "2")
        self.assertEqual(table["games"], 2)
        self.assertRegex(said, r"^ext/python: \d+ of its moves did not come in time")

    def test_an_address_that_cannot_be_had_is_refused(self):
        run = subprocess.run([TESELA, "tournament", "azul", "--bots", "safe,ext/python",
                              "--listen", "nowhere.invalid:1"], capture_output=True, text=True,
                             timeout=30, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("Cannot listen at nowhere.invalid:1.", run.stderr)


if __name__ == "__main__":
    unittest.main()
