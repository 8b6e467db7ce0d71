"""One bot: its stream to the server, again and again, and the engines that think for it."""

import asyncio
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.protobuf import any_pb2
from grpc import StatusCode, aio

from tesela.bot.v1.bot_pb2 import Answer, Offer, PlayRequest, PlayResponse, Question
from tesela.bots.engine import Engine, EngineFailed
from tesela.bots.identity import Identity
from tesela.bots.position import move_of, question_line
from tesela.bots.settings import BotSettings, SettingsError
from tesela.bots.statistics import Statistics
from tesela.limits import backoff

# An engine that is late gets so long before it is replaced.
_LATE_MAX_S = 5.0
# For the server to end a stream that the bot has left.
_CLOSE_MAX_S = 5.0
_SHOWN_MAX = 200
_FINAL = (StatusCode.INVALID_ARGUMENT, StatusCode.PERMISSION_DENIED, StatusCode.UNAUTHENTICATED)


@dataclass
class _Stream:
    """What goes to the server (None: the bot leaves), and the open questions by their ids."""

    to_server: asyncio.Queue[PlayRequest | None] = field(default_factory=asyncio.Queue)
    open: dict[int, "_Asked"] = field(default_factory=dict)
    #: Those to which the bot has no move.
    declined: set[int] = field(default_factory=set)


@dataclass(frozen=True, eq=False)
class _Asked:
    """A question. Its times are monotonic, in seconds."""

    question: Question
    stream: _Stream
    came_at: float
    deadline: float


class Bot:
    """Plays until `stop` is set. Nothing that its engine does ends it."""

    def __init__(self, settings: BotSettings, folder: Path, channel: Any, identity: Identity,
                 stop: asyncio.Event) -> None:
        self.statistics = Statistics()
        self._settings = settings
        self._folder = folder
        self._channel = channel
        self._identity = identity
        self._stop = stop
        self._waiting: asyncio.Queue[_Asked] = asyncio.Queue()
        self._attempt = 0
        #: How many engines have failed and are not started again yet.
        self._failed = 0

    def say(self, what: object, file: Any = None) -> None:
        """Prints it, with the bot's name, as one line that moves no terminal's cursor."""
        text = "".join(each if each.isprintable() else " " for each in str(what))
        print(f"{self._settings.game}/{self._settings.name}: {text}", file=file, flush=True)

    async def run(self) -> bool:
        """False when the server refuses the bot for a reason that does not pass."""
        workers = [asyncio.create_task(self._work()) for _ in range(self._settings.processes)]
        try:
            return await self._offer()
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _offer(self) -> bool:
        told = ""
        while not self._stop.is_set():
            trouble = "The server ended the stream."
            try:
                await self._play(await self._identity.token())
            except SettingsError as error:
                self._warn(error)
                return False
            except aio.AioRpcError as error:
                trouble = f"{error.details()} ({error.code().name})"
                if error.code() in _FINAL:
                    self._warn(f"Ends, as this does not pass: {trouble}")
                    return False
            if self._stop.is_set():
                break
            if trouble != told or self._attempt == 0:
                self._warn(f"Is tried again: {trouble}")
            told = trouble
            try:
                async with asyncio.timeout(backoff(self._attempt)):
                    await self._stop.wait()
            except TimeoutError:
                self._attempt += 1
        return True

    async def _play(self, token: str) -> None:
        """One stream, until it ends. Raises aio.AioRpcError."""
        stream = _Stream()
        stream.to_server.put_nowait(PlayRequest(offer=Offer(
            token=token, game=self._settings.game, name=self._settings.name,
            description=self._settings.description)))

        async def requests() -> Any:
            while request := await stream.to_server.get():
                yield request

        play = self._channel.stream_stream("/tesela.bot.v1.BotService/Play",
                                           request_serializer=PlayRequest.SerializeToString,
                                           response_deserializer=PlayResponse.FromString)
        call = play(requests())
        reading = asyncio.create_task(self._read(call, stream))
        leaving = asyncio.create_task(self._leave(stream))
        try:
            await asyncio.wait((reading, leaving), return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()
        finally:
            stream.to_server.put_nowait(None)
            reading.cancel()
            leaving.cancel()
            call.cancel()
            while not self._waiting.empty():
                self._waiting.get_nowait()

    async def _read(self, call: Any, stream: _Stream) -> None:
        async for message in call:
            if message.HasField("accepted"):
                self._attempt = 0
                self.say(f"plays as {message.accepted.strategy}, "
                         f"with {message.accepted.move_ms} ms for a move")
            elif message.HasField("dismissed"):
                self._dismissed(stream, message.dismissed.question_id, message.dismissed.message)
            elif message.HasField("question") and not self._stop.is_set():
                question = message.question
                now = time.monotonic()
                asked = _Asked(question, stream, now, now + question.deadline_ms / 1000)
                stream.open[question.question_id] = asked
                self.statistics.questions += 1
                self._waiting.put_nowait(asked)
                self._decline_if_all_failed()

    def _dismissed(self, stream: _Stream, number: int, why: str) -> None:
        stream.open.pop(number, None)
        self.statistics.dismissed += 1
        if number in stream.declined:
            stream.declined.discard(number)
        else:
            self._warn(f"question {number} was dismissed: {why}")

    async def _leave(self, stream: _Stream) -> None:
        """After `stop`: waits for the open questions, and leaves."""
        await self._stop.wait()
        until = max((asked.deadline for asked in stream.open.values()), default=0)
        while stream.open and time.monotonic() < until:
            await asyncio.sleep(0.02)
        stream.to_server.put_nowait(None)
        await asyncio.sleep(_CLOSE_MAX_S)

    async def _work(self) -> None:
        """Keeps an engine running, and asks it one question after the other."""
        engine = Engine(self._settings.engine, self._folder)
        failures = 0
        try:
            while True:
                try:
                    await engine.start()
                    asked = await self._waiting.get()
                    if asked.question.question_id in asked.stream.open:
                        await self._ask(engine, asked)
                        failures = 0
                except EngineFailed as error:
                    self._warn(f"its engine {error}")
                    self._failed += 1
                    self._decline_if_all_failed()
                    await engine.end(patience_s=0)
                    await asyncio.sleep(backoff(failures))
                    self._failed -= 1
                    failures += 1
        finally:
            await engine.end()

    async def _ask(self, engine: Engine, asked: _Asked) -> None:
        left_s = asked.deadline - time.monotonic()
        move, line = None, b""
        try:
            if left_s > 0:
                text = question_line(asked.question, self._settings.game, int(left_s * 1000))
                until = asyncio.get_running_loop().time() + left_s + _LATE_MAX_S
                line, unasked = await engine.ask(text, until)
                if unasked:
                    self._warn(f"its engine had printed {unasked} bytes that nobody asked for")
                late_ms = (time.monotonic() - asked.deadline) * 1000
                if late_ms >= 0:
                    self._warn(f"its engine answered {late_ms:.0f} ms too late")
                else:
                    move = move_of(line, asked.question)
        except ValueError as error:
            self._warn(f"its engine's answer {line[:_SHOWN_MAX]!r} is no move: {error}")
        finally:
            self._settle(asked, move)

    def _decline_if_all_failed(self) -> None:
        while self._failed == self._settings.processes and not self._waiting.empty():
            self._settle(self._waiting.get_nowait(), None)

    def _settle(self, asked: _Asked, move: any_pb2.Any | None) -> None:
        """Sends the answer. An empty one has the game's stand-in play at once."""
        number = asked.question.question_id
        now = time.monotonic()
        is_open = asked.stream.open.pop(number, None)
        if now >= asked.deadline:
            self.statistics.too_late += 1
        elif is_open:
            asked.stream.to_server.put_nowait(
                PlayRequest(answer=Answer(question_id=number, move=move)))
            if move is None:
                asked.stream.declined.add(number)
            else:
                self.statistics.answer((now - asked.came_at) * 1000)

    def _warn(self, what: object) -> None:
        self.say(what, sys.stderr)
