"""`tesela play`, `find`, `watch` and `replay` as players run them: on terminals, at a server's
tables."""

import contextlib
import datetime
import itertools
import json
import pathlib
import queue
import re
import time
import unittest

from terminals import ENTER, WAIT_SECONDS_MAX, Player, PlayTest, wait_until


class OnePlayer(PlayTest):
    GAMES = {
        # the keys of a move that is legal at the start, and what the screen shows
        "2048": ("hjkl", "Best tile"),
        "2248": ("b", "Booster"),
        "samegame": ("g" + ENTER, "Groups left"),
    }

    def test_keys_become_moves_and_the_farewell_tells_how_to_go_on(self):
        for game, (keys, words) in self.GAMES.items():
            with self.subTest(game):
                player = self.player("Ann", game)
                player.sees(words)
                player.press(keys)
                table_id = player.table_id()
                wait_until(lambda: self.version(table_id) >= 2, "the move")
                self.assertEqual(player.quit(), table_id)

    def test_a_terminal_that_cannot_be_drawn_on_is_refused(self):
        table_id = self.player("Bob", "2048").table_id()
        for kind, words in {"dumb": "cannot place its cursor", "": "is not known",
                            "nonsense": "is not known"}.items():
            for command, subject in {"play": "2048", "find": "azul", "watch": table_id}.items():
                with self.subTest(kind=kind, command=command):
                    player = self.player("Ann", subject, command=command, TERM=kind)
                    self.assertIn(f"TERM={kind} {words}", player.ends())
                    self.assertEqual(player.process.returncode, 2)

    def test_no_color_is_respected(self):
        for none, colours in {"": True, "1": False}.items():
            player = self.player("Ann", "2048", TERM="xterm-256color", NO_COLOR=none)
            player.sees("Best tile")
            player.quit()
            painted = re.search(r"\x1b\[(?:[34][0-7]|9\d|[34]8;5;\d+)", player.output)
            self.assertEqual(painted is not None, colours, player.output)

    def test_a_hint_shows_one_move_after_the_other(self):
        player = self.player("Ann", "2048")
        player.sees("Best tile")
        player.press("?")
        player.sees("Press ? again")
        player.press("?")
        player.sees("Hint 1 of ")
        player.press("?")
        # Of a line that stays alike the terminal is sent what differs; of another size, all of it.
        rows = itertools.cycle((25, 24))
        wait_until(lambda: player.resize(next(rows), 80) or "Hint 2 of " in player.output,
                   "the next move of the hint")
        player.quit()

    def test_a_token_that_ends_soon_is_renewed(self):
        first = self.player("Ann", "2048")
        table_id = first.table_id()
        first.quit()
        [file] = pathlib.Path(self.server.folder, "Ann", "tesela").glob("player-*.json")
        known = json.loads(file.read_text())
        soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=6)
        file.write_text(json.dumps({**known, "expiresAt": soon.strftime("%Y-%m-%dT%H:%M:%SZ")}))
        again = self.player("Ann", "--table", table_id)
        again.sees("Best tile")
        again.quit()
        fresh = json.loads(file.read_text())
        self.assertGreaterEqual(fresh["expiresAt"], known["expiresAt"])
        self.assertEqual(fresh["playerId"], known["playerId"])

    def test_a_table_is_gone_on_with(self):
        first = self.player("Ann", "samegame", "--rows", "6", "--columns", "6",
                            "--colours", "3")
        first.sees("Groups left")
        first.press("g" + ENTER)
        table_id = first.table_id()
        wait_until(lambda: self.version(table_id) == 2, "the move")
        first.quit()
        for arguments in (["--table", table_id], ["--resume"]):
            again = self.player("Ann", *arguments)
            again.sees("Groups left")
            self.assertEqual(again.table_id(), table_id)
            again.quit()

    def test_n_begins_a_game_of_the_same_configuration(self):
        player = self.player("Ann", "2248", "--rows", "3", "--columns", "4")
        player.sees("Booster")
        first = player.table_id()
        player.press("n")
        player.sees("Press n again")
        player.press("n")
        second = player.quit()
        self.assertNotEqual(second, first)
        position = self.watched(second)
        rows = position.split(" | ")[1:-1]
        self.assertEqual([len(row.split()) for row in rows], [4, 4, 4], position)

    def test_a_move_while_the_server_restarts_is_kept(self):
        player = self.player("Ann", "2248")
        player.sees("Booster")
        table_id = player.table_id()
        self.server.stop()
        player.sees("trying again")
        player.press("b")
        player.sees("kept")
        self.server.start()
        wait_until(lambda: self.version(table_id) == 2, "the move")


class SeveralPlayers(PlayTest):
    def test_a_game_of_azul_is_played_to_its_end(self):
        players = dict(zip(["Ann", "Bob"], self.join("Ann", "Bob")))
        table_id = players["Ann"].table_id()
        lines = self.watch(table_id)
        seen = [lines.get(timeout=WAIT_SECONDS_MAX)]
        deadline = time.monotonic() + 2 * WAIT_SECONDS_MAX
        while on_turn := re.search(r"\| turn of (Ann|Bob)$", seen[-1]):
            self.assertLess(time.monotonic(), deadline)
            players[on_turn.group(1)].press(ENTER + ENTER)
            # Who watches may hear of a turn before its player does, who then has to press again.
            with contextlib.suppress(queue.Empty):
                seen.append(lines.get(timeout=0.2))
        self.assertTrue(seen[-1].endswith(" | over\n"), seen[-1])
        self.assertRegex(seen[1], r"^version 2 (Ann|Bob) takes \d (blue|yellow|red|black|white)")
        for player in players.values():
            player.sees("Press r for a rematch.")
        players["Ann"].press("r")
        players["Bob"].sees("There is a rematch")
        players["Bob"].press("r")
        for player in players.values():
            player.sees("--invite")
        rematch = {player.quit() for player in players.values()}
        self.assertEqual(len(rematch), 1)
        self.assertNotIn(table_id, rematch)

    def test_bots_take_the_other_seats_and_the_game_begins(self):
        player = self.player("Ann", "azul", "--players", "3", "--bots", "greedy,safe")
        player.sees("greedy")
        player.sees("safe")
        player.sees("your turn")
        player.quit()

    def test_who_made_the_table_begins_with_bots(self):
        player = self.player("Ann", "azul", "--players", "4")
        player.sees("s: begin with bots")
        player.press("s")
        player.sees("Round 1")
        player.quit()

    def test_bots_come_to_a_table_that_waits(self):
        player = self.player("Ann", "azul", "--bots-after", "500ms", "--bot-level", "hard")
        player.sees("uct")
        player.sees("Round 1")
        player.quit()

    def test_a_private_table_is_for_who_has_the_invite(self):
        ann = self.player("Ann", "azul", "--private")
        found = wait_until(lambda: re.search(r"--join (\w{13}) --invite ([\w-]{22})", ann.output),
                           "the invite")
        table_id, invite = found.groups()
        eve = self.player("Eve", "--join", table_id)
        self.assertIn("This table is private", eve.ends())
        bob = self.player("Bob", "--join", table_id, "--invite", invite)
        for player in (ann, bob):
            player.sees("Round 1")
        self.assertEqual(self.watched(table_id), "")
        self.assertTrue(self.watched(table_id, "--invite", invite).startswith("version 1 "))

    def test_a_full_table_takes_nobody(self):
        table_id = self.join("Ann", "Bob")[0].table_id()
        late = self.player("Cleo", "--join", table_id)
        self.assertIn("taken", late.ends())
        self.assertNotEqual(late.process.returncode, 0)


class Finding(PlayTest):
    def finder(self, name: str, *arguments: str) -> Player:
        return self.player(name, "azul", *arguments, command="find")

    def test_two_who_look_for_each_other_play(self):
        ann = self.finder("Ann", "--ranked")
        ann.sees("Your place in the queue: 1.")
        ben = self.finder("Ben", "--ranked")
        for player in (ann, ben):
            player.sees("Round 1")
        self.assertEqual(ann.table_id(), ben.table_id())
        for player in (ann, ben):
            player.press(ENTER + ENTER)
        wait_until(lambda: self.version(ann.table_id()) >= 2, "a move")
        self.assertEqual(ann.quit(), ben.quit())

    def test_bots_of_the_level_come_after_their_time(self):
        player = self.finder("Ann", "--seats", "3", "--bots-after", "500ms", "--bot-level", "3")
        player.sees("greedy")
        player.quit()

    def test_a_party_sits_together(self):
        party = ("--seats", "3", "--party", "the green one")
        ann = self.finder("Ann", *party)
        ann.sees("Of your party 1 of 2 are here: Ann.")
        others = [self.finder("Ben", *party), self.finder("Cleo", "--seats", "3")]
        for player in (ann, *others):
            player.sees("Round 1")
            self.assertEqual(player.table_id(), ann.table_id())

    def test_who_quits_is_found_no_more(self):
        ann = self.finder("Ann")
        ann.sees("Your place in the queue: 1.")
        ann.press("q")
        self.assertEqual(ann.process.wait(WAIT_SECONDS_MAX), 0)
        ben = self.finder("Ben")
        ben.sees("Your place in the queue: 1.")

    def test_a_search_goes_on_after_the_server_has_restarted(self):
        ann = self.finder("Ann")
        ann.sees("Your place in the queue: 1.")
        self.server.stop()
        ann.sees("Trying again.")
        self.server.start()
        self.finder("Ben")
        ann.sees("Round 1")


class Refusals(PlayTest):
    def refused(self, *arguments: str, command: str = "play") -> str:
        player = self.player("Ann", *arguments, command=command)
        said = player.ends()
        self.assertNotEqual(player.process.returncode, 0)
        return said

    def test_a_bad_configuration_says_what_would_be_right(self):
        self.assertIn("2 to 9 colours", self.refused("samegame", "--colours", "10"))
        self.assertIn("there are random", self.refused("azul", "--bots", "deep-blue"))
        self.assertIn("2, 3 or 4", self.refused("azul", "--players", "5"))
        self.assertIn("columns", self.refused("2248", "--columns", "11"))

    def test_a_search_that_cannot_be_says_what_would_be_right(self):
        def refused(*arguments: str) -> str:
            return self.refused(*arguments, command="find")

        self.assertIn("a game for one", refused("2048"))
        self.assertIn("2, 3 or 4", refused("azul", "--seats", "5"))
        self.assertIn("there are the levels 1, 2, 3, 4",
                      refused("azul", "--bots-after", "1s", "--bot-level", "9"))
        self.assertIn("not a time", refused("azul", "--bots-after", "soon"))
        self.assertIn("8 to 64 bytes", refused("azul", "--party", "short"))
        self.assertIn("--bots-after", refused("azul", "--bot-level", "1"))

    def test_without_a_game_the_page_of_help_is_shown(self):
        player = self.player("Ann")
        self.assertIn("A new game of SameGame", player.ends())


if __name__ == "__main__":
    unittest.main()
