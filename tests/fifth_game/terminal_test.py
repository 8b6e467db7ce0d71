"""A fifth game on a terminal: played, watched and simulated by `tesela`."""

import pathlib
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).parent.parent / "clients/cli"))
from terminals import ENTER, TESELA, PlayTest, wait_until


class FifthGame(PlayTest):
    def test_keys_become_moves(self):
        player = self.player("Ann", "lights_out", "--size", "3", "--moves-max", "2")
        player.sees("Lights on")
        table_id = player.table_id()
        before = self.watched(table_id)
        player.press("l" + ENTER)
        wait_until(lambda: self.version(table_id) == 2, "the move")
        self.assertEqual(self.changed(before, self.watched(table_id)), [0, 1, 2, 4])
        player.press(ENTER)
        player.sees("no move is left.")
        player.quit()

    def changed(self, before: str, after: str) -> list[int]:
        """The cells that differ between two positions of `tesela watch`."""
        cells = [" ".join(line.split(" | ")[1:4]).split() for line in (before, after)]
        self.assertEqual([len(each) for each in cells], [9, 9], after)
        return [cell for cell in range(9) if cells[0][cell] != cells[1][cell]]


class WithoutAServer(unittest.TestCase):
    def run_tesela(self, *arguments: str, text: str = "") -> str:
        return subprocess.run([TESELA, *arguments], input=text, capture_output=True, text=True,
                              check=True).stdout

    def test_bots_play_it(self):
        played = self.run_tesela("simulate", "lights_out", "--bots", "random", "--games", "3",
                                 "--seed", "7")
        self.assertIn("points", played)
        self.assertRegex(self.run_tesela("bots", "lights_out"), r"lights_out +random")

    def test_a_bot_advises(self):
        position = '{"board": [".#.", "###", ".#."], "moves": 5}'
        advice = self.run_tesela("hint", "lights_out", text=position)
        self.assertRegex(advice, r"^random: row [123] column [123]\n$")


if __name__ == "__main__":
    unittest.main()
