"""What comes from outside does not act on the terminal that `tesela` prints to."""

import http.server
import json
import subprocess
import sys
import tempfile
import threading
import unittest

TESELA = sys.argv.pop(1)
# Over the line before, from its first column; C1; a right-to-left override; a line of its own.
FORGED = "x\r\x1b[1A\x1b[2K\x9b2K\u202e\u2028\ntrue    2048 table x"


def tesela(*arguments: str):
    return subprocess.run([TESELA, *arguments], capture_output=True, timeout=60, check=False)


class Printed(unittest.TestCase):
    def assert_harmless(self, printed: bytes):
        """Printable characters and line breaks, and nothing forged on a line of its own."""
        text = printed.decode()
        self.assertTrue(all(one == "\n" or one.isprintable() for one in text), text)
        self.assertNotRegex(text, r"(?m)^true")

    def test_a_record_does_not_paint_its_verdict(self):
        record = {"table": {"tableId": FORGED, "game": FORGED, "seatCount": 1},
                  "serverSeed": "A" * 43 + "="}
        for altered in (record, {FORGED: 1}):
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump(altered, file)
                file.flush()
                run = tesela("verify", file.name)
            self.assertEqual(run.returncode, 1)
            self.assertTrue(run.stdout + run.stderr)
            self.assert_harmless(run.stdout)
            self.assert_harmless(run.stderr)

    def test_a_server_does_not_drive_the_terminal(self):
        class Hostile(http.server.BaseHTTPRequestHandler):
            def answer(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                body = FORGED.encode()
                if self.command == "POST":
                    body = json.dumps({"code": "unavailable", "message": FORGED}).encode()
                self.send_response(503)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"127.0.0.1:{server.server_port}"
            for command in (("health", "--server", address),
                            ("board", "--server", address, "2048"),
                            ("games", "--server", address, "--player", "x"),
                            ("replay", "--server", address, "--plain", "x")):
                run = tesela(*command)
                self.assertEqual(run.returncode, 1, command)
                self.assertTrue(run.stderr, command)
                self.assert_harmless(run.stdout)
                self.assert_harmless(run.stderr)
            server.shutdown()


if __name__ == "__main__":
    unittest.main()
