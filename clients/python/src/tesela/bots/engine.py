"""An engine: a child process that reads a question a line and writes an answer a line."""

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path

_LINE_MAX = 64 * 1024
_END_MAX_S = 1.0


class EngineFailed(Exception):
    """The engine is of no use any more. The text continues "its engine …"."""


class Engine:
    """One process, in a session of its own: a terminal's Ctrl+C is for the kit. For one user."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._command = command
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Does nothing while it runs. Raises EngineFailed."""
        if self._process and self._process.returncode is None:
            return
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, cwd=self._folder, limit=_LINE_MAX, start_new_session=True,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
        except (OSError, ValueError) as error:
            raise EngineFailed(f"cannot be started: {error}") from None

    async def ask(self, question: str, until: float) -> tuple[bytes, int]:
        """Its answer, and how many bytes it had printed unasked. `until`: a time of the event
        loop. Raises EngineFailed."""
        await self.start()
        assert self._process and self._process.stdin and self._process.stdout
        try:
            async with asyncio.timeout_at(until):
                unasked = await self._unasked(self._process.stdout)
                self._process.stdin.write(f"{question}\n".encode())
                await self._process.stdin.drain()
                line = await self._process.stdout.readline()
        except TimeoutError:
            raise EngineFailed("does not answer") from None
        except ValueError:
            raise EngineFailed(f"printed a line of more than {_LINE_MAX} bytes") from None
        except ConnectionError:
            line = b""
        if not line.endswith(b"\n"):
            raise EngineFailed("has ended without an answer")
        return line, unasked

    async def end(self, patience_s: float = _END_MAX_S) -> None:
        """Closes its input, which tells it to end; kills it when it does not."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        assert process.stdin
        process.stdin.close()
        try:
            async with asyncio.timeout(patience_s):
                await process.wait()
        except TimeoutError:
            pass
        finally:  # also where Python 3.11.2 raises CancelledError, in a task that is cancelled
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()

    @staticmethod
    async def _unasked(stdout: asyncio.StreamReader) -> int:
        """Reads away what has come already: it would be taken for the answer."""
        try:
            async with asyncio.timeout(0):
                return len(await stdout.read(2 * _LINE_MAX))
        except TimeoutError:
            return 0
