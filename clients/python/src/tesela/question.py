"""A question to a strategy, until it is answered or given up: one at a time, and not more often
than the server answers."""

import asyncio
from collections.abc import Callable

from tesela.errors import Refused, busy, reason_name
from tesela.limits import Limits
from tesela.play.v1.play_pb2 import Hint, HintRequest, Refusal


class Question:
    """The question that one stream asks now, if any."""

    def __init__(self, send: Callable[[HintRequest], object], limits: Limits) -> None:
        self._send = send
        self._limits = limits
        self._id = ""
        self._answer: asyncio.Future[Hint] | None = None
        self._next_at = 0.0

    async def ask(self, hint_id: str, strategy: str) -> Hint:
        """Raises Refused: STALE when somebody moves first, or the line breaks."""
        if self._answer:
            raise busy("One question at a time.")
        loop = asyncio.get_running_loop()
        self._id = hint_id
        try:
            for again in range(self._limits.resends_max + 1):
                answer: asyncio.Future[Hint] = loop.create_future()
                self._answer = answer
                await asyncio.wait([answer], timeout=max(0, self._next_at - loop.time()))
                if not answer.done():
                    self._next_at = loop.time() + self._limits.ask_every
                    self._send(HintRequest(hint_id=hint_id, strategy=strategy))
                try:
                    return await answer
                except Refused as why:
                    last = again == self._limits.resends_max
                    if last or why.reason not in ("RATE_LIMITED", "BUSY"):
                        raise
            raise AssertionError("The last refusal is raised.")
        finally:
            self._answer = None

    def answered(self, hint: Hint) -> None:
        """A Hint has come, perhaps that of an earlier question."""
        if self._answer and not self._answer.done() and hint.hint_id == self._id:
            self._answer.set_result(hint)

    def refused(self, refusal: Refusal) -> bool:
        """Whether this refusal is about the question."""
        if not self._answer or refusal.move_id != self._id:
            return False
        self._fail(Refused(reason_name(refusal.reason), refusal.message))
        return True

    def drop(self) -> None:
        """No answer will come: somebody has moved, or the line is gone."""
        self._fail(Refused("STALE", "The question is moot."))

    def _fail(self, why: Refused) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_exception(why)
