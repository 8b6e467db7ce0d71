"""`tesela admin` and `tesela health` as an operator runs them, against a real server."""

import json
import os
import re
import subprocess
import unittest

from terminals import SERVER, TESELA, WAIT_SECONDS_MAX, PlayTest, free_port, wait_until


class AdminTest(PlayTest):
    def setUp(self):
        super().setUp()
        self.key = os.path.join(self.server.folder, "admin.key")

    def tesela(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        inherited = {name: value for name, value in os.environ.items()
                     if not name.startswith("TESELA_")}
        return subprocess.run([TESELA, *arguments], capture_output=True, text=True,
                              timeout=WAIT_SECONDS_MAX, env={**inherited, **environment})

    def admin(self, *arguments: str) -> str:
        """What is on standard output."""
        run = self.tesela("admin", "--server", self.server.address, "--token-file", self.key,
                          *arguments)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def answer(self, *arguments: str):
        return json.loads(self.admin(*arguments, "--json"))

    def assert_refused(self, words: str, *arguments: str, **environment: str):
        run = self.tesela(*arguments, **environment)
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(run.stdout, "")
        self.assertIn(words, run.stderr)

    def facts(self, text: str) -> dict[str, str]:
        """The lines of a name and a value that a text begins with."""
        lines = text.split("\n\n")[0].splitlines()
        return dict(re.split(r"  +", line, maxsplit=1) for line in lines)


class Looking(AdminTest):
    def test_the_status_is_aligned_and_in_json(self):
        text = self.admin("status")
        facts = self.facts(text)
        self.assertEqual(facts["ready"], "yes")
        self.assertEqual(facts["log level"], "warn")
        self.assertRegex(facts["memory"], r"^\d+\.\d MiB$")
        starts = {re.match(r".*?  +", line).end() for line in text.splitlines()}
        self.assertEqual(len(starts), 1, text)
        status = self.answer("status")
        self.assertIs(status["ready"], True)
        self.assertIs(status["draining"], False)
        self.assertEqual(status["logLevel"], "LOG_LEVEL_WARN")
        self.assertEqual(status["version"], facts["version"])
        self.assertGreater(int(status["memoryBytes"]), 1_000_000)

    def test_tables_and_players_are_listed_and_shown(self):
        ann, _ = self.join("Ann", "Bob")
        table_id = ann.table_id()
        lines = self.admin("tables", "--game", "azul", "--state", "in-play").splitlines()
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[0].startswith("table "))
        self.assertRegex(lines[1], rf"^{table_id}  azul  in play  .*  2 \+ 0  2/2 +Ann, Bob$")
        self.assertEqual(self.admin("tables", "--game", "2048"), "No tables.\n")
        row, = self.answer("tables", "--state", "in-play")["tables"]
        self.assertEqual((row["table"]["tableId"], row["inMemory"]), (table_id, True))

        text = self.admin("table", table_id)
        facts = self.facts(text)
        self.assertEqual((facts["game"], facts["state"], facts["version"]),
                         ("azul", "in play", "1"))
        self.assertEqual(facts["here"], "2 players, 0 others")
        self.assertRegex(text, r"\n0 +[0-9a-z]{13}  Ann +the player +yes\n")
        self.assertEqual(self.answer("table", table_id)["version"], "1")

        player_id = self.answer("players", "--name", "Ann")["players"][0]["playerId"]
        self.assertRegex(self.admin("players", "--name", "Ann"),
                         rf"^player .*\n{player_id}  .*  Ann\n$")
        self.assertEqual(self.facts(self.admin("player", player_id))["connected"],
                         f"at {table_id}")
        shown = self.answer("player", player_id)
        self.assertEqual(shown["connectedTableIds"], [table_id])

    def test_the_servers_are_listed(self):
        header, row = self.admin("nodes").splitlines()
        self.assertTrue(header.startswith("server  life "))
        self.assertRegex(
            row, r"^- +0{12}1  alive  +-  +0  +sweep, match  +\d\S* +warn  +this one$")
        report, = self.answer("nodes")["nodes"]
        self.assertEqual((report["here"], report["node"]["alive"]), (True, True))
        self.assertEqual(report["status"], {**self.answer("status"), **{
            name: report["status"][name] for name in ("uptime", "memoryBytes", "connections")}})

    def test_a_list_goes_on_where_it_ended(self):
        first = self.admin("players", "--count", "2")
        self.assertEqual(len(first.splitlines()), 4)
        more = re.search(r"^There are more: add --page (\S+)$", first, re.MULTILINE)
        second = self.admin("players", "--count", "2", "--page", more.group(1))
        self.assertFalse(set(first.splitlines()[1:3]) & set(second.splitlines()[1:3]))


class Acting(AdminTest):
    def test_a_table_is_closed_and_its_player_reads_why(self):
        player = self.player("Ann", "2048")
        player.sees("x: resign")
        table_id = player.table_id()
        self.assertEqual(self.admin("close", table_id, "--reason", "Closed for a test"),
                         f"Table {table_id} is closed.\n")
        player.sees("by the operator: Closed for a test.")
        self.assertEqual(self.facts(self.admin("table", table_id))["state"], "closed")
        closed = self.answer("close", table_id, "--reason", "again")
        self.assertEqual(closed["summary"]["table"]["state"], "TABLE_STATE_CLOSED")

    def test_the_log_level_is_changed(self):
        self.assertEqual(self.admin("log-level", "debug"), "The log level was warn before.\n")
        self.assertEqual(self.answer("log-level", "warn"),
                         {"previous": "LOG_LEVEL_DEBUG", "nodes": []})
        self.assertRegex(self.admin("log-level", "debug", "--all"),
                         r"^server +life +level before\n- +0{12}1 +warn\n$")
        self.assertEqual(self.admin("log-level", "warn", "--node", "0000000000001"),
                         "The log level was debug before.\n")

    def test_a_drained_server_is_not_healthy(self):
        healthy = self.tesela("health", "--server", self.server.address)
        self.assertEqual((healthy.returncode, healthy.stdout), (0, "ready\n"))
        self.assertTrue(self.admin("drain").startswith("The server takes nothing new"))
        ill = self.tesela("health", "--server", self.server.address)
        self.assertEqual((ill.returncode, ill.stdout), (1, ""))
        self.assertEqual(ill.stderr, "The server is stopping.\n")
        self.assertEqual(self.facts(self.admin("status"))["ready"], "no: The server is stopping.")
        self.answer("drain", "--exit")
        wait_until(lambda: self.server.process.poll() is not None, "the end of the server")
        self.assertEqual(self.server.process.returncode, 0)


class Asking(AdminTest):
    def test_what_cannot_be_done_is_a_sentence(self):
        where = ("admin", "--server", self.server.address)
        known = (*where, "--token-file", self.key)
        self.assert_refused("There is no such table.", *known, "table", "0000000000001")
        self.assert_refused("debug", *known, "log-level", "loud")
        self.assert_refused("--reason", *known, "close", "0000000000001")
        unknown = 'There is no server "b:7500"; there are: 0000000000001.'
        self.assert_refused(unknown, *known, "drain", "b:7500")
        self.assert_refused(unknown, *known, "log-level", "warn", "--node", "b:7500")
        self.assert_refused("--node", *known, "log-level", "warn", "--node", "x", "--all")
        self.assert_refused("cannot be read", *where, "--token-file", "/nowhere", "status")
        self.assert_refused("--token-file", *where, "status")
        other = os.path.join(self.server.folder, "other.key")
        for token, words in (("x" * 43, "not the admin token"), ("", "holds no admin token"),
                             ("two words", "holds no admin token")):
            with open(other, "w", encoding="utf-8") as file:
                file.write(token + "\n")
            self.assert_refused(words, *where, "--token-file", other, "status")

    def test_a_server_that_is_not_there_is_not_healthy(self):
        self.assert_refused("cannot be reached", "health", "--server",
                            f"127.0.0.1:{free_port()}")

    def test_the_environment_says_where_and_with_what(self):
        port = self.server.address.split(":")[1]
        run = self.tesela("admin", "status", "--json", TESELA_OPS_PORT=port,
                          TESELA_ADMIN_TOKEN_FILE=self.key)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIs(json.loads(run.stdout)["ready"], True)
        self.assertEqual(self.tesela("health", TESELA_OPS_PORT=port).stdout, "ready\n")
        self.assertEqual(self.tesela("health", TESELA_SERVER=self.server.address).stdout,
                         "ready\n")
        nowhere = f"127.0.0.1:{free_port()}"
        self.assert_refused("cannot be reached", "health", "--server", nowhere,
                            TESELA_OPS_PORT=port)

    def test_what_cannot_be_written_is_a_failure(self):
        remote = ("--server", self.server.address)
        for command in ([TESELA, "admin", *remote, "--token-file", self.key, "status"],
                        [TESELA, "health", *remote], [TESELA, "rules", "--help"],
                        [SERVER, "--help"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True,
                                     timeout=WAIT_SECONDS_MAX)
            self.assertEqual(run.returncode, 1, command)
            self.assertIn("standard output could not be written", run.stderr)


if __name__ == "__main__":
    unittest.main()
