"""All bots of a file, from the first offer to the last statistics."""

import asyncio
import signal
from typing import Any

import grpc
from grpc import aio

from tesela.bots.bot import Bot
from tesela.bots.identity import Identity
from tesela.bots.settings import Settings

_STATISTICS_EVERY_S = 600
# The kit has pauses of its own; a server that is gone silently is noticed by a ping.
_CHANNEL = [("grpc.initial_reconnect_backoff_ms", 200), ("grpc.max_reconnect_backoff_ms", 1000),
            ("grpc.keepalive_time_ms", 20_000), ("grpc.keepalive_timeout_ms", 10_000)]


async def play(settings: Settings, tournament: str | None) -> int:
    """Plays until SIGINT or SIGTERM; a second one does not wait for open questions. `tournament`:
    the address of one, where the bots belong to nobody. The exit status: 1 when a bot was refused.
    """
    stop = asyncio.Event()
    async with _channel(tournament or settings.server) as channel:
        identity = Identity(channel, settings.bots[0].name,
                            None if tournament else settings.token_file)
        bots = [Bot(bot, settings.folder, channel, identity, stop) for bot in settings.bots]
        tasks = [asyncio.create_task(bot.run()) for bot in bots]

        def leave() -> None:
            if stop.is_set():
                for task in tasks:
                    task.cancel()
            stop.set()

        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, leave)
        reporting = asyncio.create_task(_report(bots))
        await asyncio.wait(tasks)
        reporting.cancel()
        for bot in bots:
            bot.say(bot.statistics)
    return 0 if all(task.cancelled() or task.result() for task in tasks) else 1


def _channel(address: str) -> Any:
    if address.startswith("https://"):
        return aio.secure_channel(address.removeprefix("https://"),
                                  grpc.ssl_channel_credentials(), _CHANNEL)
    return aio.insecure_channel(address.removeprefix("http://"), _CHANNEL)


async def _report(bots: list[Bot]) -> None:
    told = [0] * len(bots)
    while True:
        await asyncio.sleep(_STATISTICS_EVERY_S)
        for index, bot in enumerate(bots):
            if bot.statistics.questions != told[index]:
                told[index] = bot.statistics.questions
                bot.say(bot.statistics)
