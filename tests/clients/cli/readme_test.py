"""The commands of the READMEs that need no server do what is said there."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESELA = Path(sys.argv.pop(1)).resolve()
PAGES = ("clients/cli/README.md", "engine/strategy/README.md")
ALONE = ("bots", "hint", "simulate", "solve", "tournament", "train")
# What makes a command take long, and what takes its place.
SHORTER = ((r"--games \d+", "--games 1"), (r"time([= ])\d+m?s", r"time\g<1>1ms"),
           # As few as the number has digits, so that two bots stay two.
           (r"nodes([= ])(\d+)", lambda found: f"nodes{found[1]}{len(found[2])}"))


def commands(page: str):
    """Those lines of its sh blocks that call this program without a server."""
    for block in re.findall(r"```sh\n(.*?)```", Path(page).read_text(encoding="utf-8"), re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            called = re.search(r"build/release/bin/tesela (\w+)", line)
            if called and called.group(1) in ALONE:
                yield line


class Readme(unittest.TestCase):
    def test_commands(self):
        for page in PAGES:
            found = list(commands(page))
            self.assertGreater(len(found), 2, page)
            for command in found:
                with self.subTest(command), tempfile.TemporaryDirectory() as folder:
                    self.run_in(folder, command)

    def run_in(self, folder: str, command: str):
        for pattern, shorter in SHORTER:
            command = re.sub(pattern, shorter, command)
        command = command.replace("build/release/bin/tesela", str(TESELA))
        Path(folder, "tests").symlink_to(Path("tests").resolve())
        Path(folder, "engine/strategy").mkdir(parents=True)
        run = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True,
                             timeout=100)
        self.assertEqual((run.returncode, run.stderr), (0, ""), command)
        self.assertNotEqual(run.stdout, "")


if __name__ == "__main__":
    unittest.main()
