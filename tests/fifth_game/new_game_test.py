"""A skeleton of a game has no name of Lights Out, which is built and tested here."""

import subprocess
import sys
import unittest

from new_game import HERE, ROOT, skeleton

LEFT = ("lights_out", "LightsOut", "Lights Out", "fifth", "R-LO")


class NewGame(unittest.TestCase):
    def test_all_names_are_new(self):
        for file, text in skeleton("dots_boxes").items():
            for name in LEFT:
                self.assertNotIn(name, file + text, file)

    def test_a_bad_name_is_refused(self):
        for name in ("Chess", "2048", "a-b", "", "../x", "azul"):
            made = subprocess.run([sys.executable, HERE / "new_game.py", "--", name],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(made.returncode, 1, name)
            self.assertIn("take", made.stderr)
            self.assertFalse((ROOT / "games" / name / "games.def").exists())


if __name__ == "__main__":
    unittest.main()
