"""A server, and programs on terminals at its tables: what the tests of `tesela` have in common."""

import contextlib
import fcntl
import os
import pathlib
import pty
import queue
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest
import urllib.request

sys.path.append(str(pathlib.Path(__file__).parents[2]))
from free_port import free_port

SERVER = sys.argv.pop(2)
TESELA = sys.argv.pop(1)
WAIT_SECONDS_MAX = 60
ENTER = "\r"


def wait_until(condition, what: str):
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: did not come")
        time.sleep(0.02)
    return result


class Server:
    """A server with a fresh database."""

    def __init__(self, folder: str):
        self.folder = folder
        for tries_left in (2, 1, 0):
            self.address = f"127.0.0.1:{free_port()}"
            try:
                return self.start()
            except ChildProcessError:  # Another program may have taken the port meanwhile.
                if not tries_left:
                    raise

    def start(self):
        self.process = subprocess.Popen(
            [SERVER, "--data", self.folder, "--http-port", self.address.split(":")[1],
             "--grpc-port", "0", "--log-level", "warn"])
        wait_until(lambda: self.is_ready() or self.process.poll() is not None, "the server")
        if self.process.poll() is not None:
            raise ChildProcessError("The server has ended.")

    def is_ready(self) -> bool:
        with contextlib.suppress(OSError):
            with urllib.request.urlopen(f"http://{self.address}/readyz", timeout=1) as answer:
                return answer.status == 200
        return False

    def stop(self):
        self.process.terminate()
        self.process.wait(WAIT_SECONDS_MAX)


class Player:
    """`tesela play`, or another, on a terminal of 80 × 24. All that it wrote is in `output`."""

    def __init__(self, server: Server, name: str, *arguments: str, command: str = "play",
                 **variables: str):
        self.output = ""
        self.terminal, child = pty.openpty()
        self.set_size(24, 80)
        environment = {**os.environ, "TERM": "vt220", "LC_ALL": "C",
                       "XDG_STATE_HOME": os.path.join(server.folder, name), **variables}
        named = ["--name", name] if command in ("play", "find") else []
        self.process = subprocess.Popen(
            [TESELA, command, "--server", server.address, *named, "--still", *arguments],
            stdin=child, stdout=child, stderr=child, env=environment, start_new_session=True)
        os.close(child)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        with contextlib.suppress(OSError):  # the terminal's end
            while data := os.read(self.terminal, 65536):
                self.output += data.decode(errors="replace")

    def set_size(self, rows: int, columns: int):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows: int, columns: int):
        self.set_size(rows, columns)
        self.process.send_signal(signal.SIGWINCH)

    def press(self, keys: str):
        os.write(self.terminal, keys.encode())

    def sees(self, words: str):
        try:
            wait_until(lambda: words in self.output, repr(words))
        except AssertionError:
            raise AssertionError(f"{words!r} is not on {self.output!r}") from None

    def table_id(self) -> str:
        found = wait_until(lambda: re.search(r"/t/([0-9a-z]{13})", self.output), "the table's id")
        return found.group(1)

    def quit(self) -> str:
        """Presses q, and gives the table that the farewell names."""
        self.press("q")
        self.process.wait(WAIT_SECONDS_MAX)
        self.reader.join(WAIT_SECONDS_MAX)
        return re.search(r"Go on with: tesela play --table ([0-9a-z]{13})", self.output).group(1)

    def ends(self) -> str:
        """All that it wrote, once it has ended."""
        self.process.wait(WAIT_SECONDS_MAX)
        self.reader.join(WAIT_SECONDS_MAX)
        return self.output

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(WAIT_SECONDS_MAX)
        self.reader.join(WAIT_SECONDS_MAX)
        os.close(self.terminal)


class PlayTest(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.server = Server(folder)
        self.addCleanup(self.server.stop)

    def player(self, name: str, *arguments: str, command: str = "play",
               **variables: str) -> Player:
        player = Player(self.server, name, *arguments, command=command, **variables)
        self.addCleanup(player.close)
        return player

    def watched(self, table_id: str, *arguments: str) -> str:
        """The first line of `tesela watch`: the position now."""
        watch = subprocess.Popen([TESELA, "watch", "--plain", "--server", self.server.address,
                                  table_id, *arguments], stdout=subprocess.PIPE, text=True)
        try:
            return watch.stdout.readline()
        finally:
            watch.terminate()
            watch.wait(WAIT_SECONDS_MAX)
            watch.stdout.close()

    def version(self, table_id: str) -> int:
        return int(self.watched(table_id).split()[1])

    def join(self, *names: str) -> list[Player]:
        """A table of Azul that the first makes and the others join."""
        first = self.player(names[0], "azul", "--players", str(len(names)))
        first.sees("Others take a seat with")
        table_id = first.table_id()
        others = [self.player(name, "--join", table_id) for name in names[1:]]
        for other in others:
            other.sees("Round 1")
        return [first, *others]

    def watch(self, table_id: str) -> queue.Queue:
        """The lines of `tesela watch`, as they come."""
        watch = subprocess.Popen([TESELA, "watch", "--plain", "--server", self.server.address,
                                  table_id], stdout=subprocess.PIPE, text=True)
        lines: queue.Queue = queue.Queue()
        reader = threading.Thread(target=lambda: [lines.put(line) for line in watch.stdout])
        reader.start()
        self.addCleanup(watch.stdout.close)
        self.addCleanup(reader.join)
        self.addCleanup(watch.terminate)
        return lines
