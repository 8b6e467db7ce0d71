"""What happens at a table beside the moves of its game: talk, presence, clocks, giving up, taking
back; and games that are shown again."""

import subprocess
import time
import unittest

from terminals import ENTER, TESELA, WAIT_SECONDS_MAX, PlayTest, wait_until


class Alone(PlayTest):
    def test_the_first_undo_of_a_game_that_counts_is_confirmed(self):
        player = self.player("Ann", "samegame")
        player.sees("u: undo")
        table_id = player.table_id()
        player.press("g" + ENTER)
        wait_until(lambda: self.version(table_id) == 2, "the move")
        player.press("u")
        player.sees("After an undo the game counts in no ranking. Press u again.")
        player.press("u")
        player.sees("Ann takes a move back.")

    def test_moves_are_taken_back_at_a_practice_table(self):
        player = self.player("Ann", "samegame", "--practice")
        player.sees("u: undo")
        table_id = player.table_id()
        before = self.watched(table_id)
        player.press("g" + ENTER)
        wait_until(lambda: self.version(table_id) == 2, "the move")
        player.press("u")
        player.sees("Ann takes a move back.")
        wait_until(lambda: self.version(table_id) == 3, "the undo")
        self.assertEqual(self.watched(table_id).split(" ", 2)[2], before.split(" ", 2)[2])
        time.sleep(0.1)  # faster than a held key is too fast
        player.press("u")
        player.sees("no move")

    def test_who_resigns_is_asked_whether_that_is_meant(self):
        player = self.player("Ann", "2048")
        player.sees("x: resign")
        table_id = player.table_id()
        player.press("x")
        player.sees("Do you really resign? Press x again.")
        player.press("tx")
        player.press("x")
        player.sees("Ann has resigned, with 0 points. Press n for a new game.")
        self.assertRegex(self.watched(table_id), r"^version 2 now score 0 .* \| resigned$")


class Together(PlayTest):
    def test_players_talk(self):
        ann, bob = self.join("Ann", "Bob")
        ann.press("thello there" + ENTER)
        bob.sees("Ann: hello there")
        bob.press("p5")
        ann.sees("Bob: Oops!")
        ann.press("m2p1")  # what is said is heard after whom one does not hear
        bob.sees("Ann: Hello!")
        bob.press("tcan you hear me" + ENTER)
        bob.sees("Bob: can you hear me")
        ann.press("m2p3")
        bob.sees("Ann: Well played!")
        bob.press("tand now" + ENTER)
        ann.sees("Bob: and now")
        self.assertNotIn("can you hear me", ann.output)

    def test_where_nobody_talks_that_is_not_offered(self):
        player = self.player("Ann", "azul", "--bots", "greedy", "--talk", "phrases")
        player.sees("p: phrases")
        self.assertNotIn("t: talk", player.output)

    def test_who_is_there_and_who_watches_is_shown(self):
        ann, bob = self.join("Ann", "Bob")
        watcher = self.player("Eve", ann.table_id(), command="watch")
        ann.sees("1 watch")
        watcher.sees("Round 1")
        bob.quit()
        for screen in (ann, watcher):
            screen.sees("away")

    def test_when_the_time_is_over_the_strategy_moves(self):
        ann = self.player("Ann", "azul", "--bots", "greedy", "--move-time", "1s",
                          "--autoplay", "safe")
        ann.sees("0:01")
        ann.sees("Ann ran out of time, safe moves instead.")

    def test_who_resigns_loses_and_the_game_is_shown_again(self):
        ann, bob = self.join("Ann", "Bob")
        table_id = ann.table_id()
        lines = self.watch(table_id)
        lines.get(timeout=WAIT_SECONDS_MAX)
        ann.press(ENTER + ENTER)
        bob.press(ENTER + ENTER)
        self.assertRegex(lines.get(timeout=WAIT_SECONDS_MAX), "^version 2 ")
        ann.press("xx")
        bob.sees("Ann has resigned. Bob wins, 0 : 0.")
        seen = [lines.get(timeout=WAIT_SECONDS_MAX)]
        while not seen[-1].endswith(" | over\n"):
            seen.append(lines.get(timeout=WAIT_SECONDS_MAX))
        self.assertRegex(seen[-1], r"^version \d Ann resigns scores 0 : 0 ")
        for player in (ann, bob):
            player.quit()
        self.shown_again(table_id, seen[-1])

    def shown_again(self, table_id: str, last: str):
        """`tesela replay` tells what `tesela watch` told, whose last line is `last`."""
        def replay(*arguments: str) -> subprocess.CompletedProcess:
            return subprocess.run(
                [TESELA, "replay", "--server", self.server.address, table_id, *arguments],
                capture_output=True, text=True, timeout=WAIT_SECONDS_MAX)

        told = replay()
        self.assertEqual((told.returncode, told.stderr), (0, ""))
        lines = told.stdout.splitlines(keepends=True)
        self.assertTrue(lines[0].startswith("version 1 now "), lines[0])
        self.assertEqual(lines[-1], last)
        version = len(lines)
        from_last = replay("--from", str(version))
        self.assertTrue(from_last.stdout.startswith(f"version {version} now "), from_last)
        beyond = replay("--from", "999")
        self.assertEqual((beyond.returncode, beyond.stdout), (1, ""))
        self.assertNotEqual(beyond.stderr, "")
        screen = self.player("Eve", table_id, command="replay")
        screen.sees("Version 1 of ")
        screen.press(" ")
        screen.sees("takes")
        screen.press(f"{version}{ENTER}")
        screen.sees("the game is over")
        screen.press("q")
        self.assertEqual(screen.process.wait(WAIT_SECONDS_MAX), 0)

    def test_who_leaves_a_table_that_waits_frees_the_seat(self):
        ann = self.player("Ann", "azul", "--players", "3")
        bob = self.player("Bob", "--join", ann.table_id())
        bob.sees("x: leave")
        ann.sees("Bob")
        bob.press("x")
        self.assertIn("You have left the table.", bob.ends())
        cleo = self.player("Cleo", "--join", ann.table_id())
        ann.sees("Cleo")
        cleo.quit()


if __name__ == "__main__":
    unittest.main()
