"""The file that says which bots play where."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tesela.games import config_of

_PROCESSES_MAX = 64  # as many questions as a server asks at once


class SettingsError(Exception):
    """What is wrong with the file, or with the token's, in a sentence."""


@dataclass(frozen=True)
class BotSettings:
    """One bot. Its engine is a command that runs in the folder of the file."""

    game: str
    name: str
    engine: list[str]
    description: str = ""
    #: How many engines run, each of which thinks about one question at a time.
    processes: int = 1


@dataclass(frozen=True)
class Settings:
    """All that the file says."""

    folder: Path
    #: The gRPC address, such as "localhost:9090"; with TLS "https://tesela.example:9090".
    server: str
    token_file: Path
    bots: list[BotSettings]


def read_settings(file: Path) -> Settings:
    """Raises SettingsError."""
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"{file} cannot be read: {error}") from None
    try:
        _check(table, {"server": str, "token_file": str, "bot": list})
        bots = [_bot(bot) for bot in table["bot"]]
        if not bots:
            raise ValueError("it has no [[bot]]")
    except (TypeError, ValueError) as error:
        raise SettingsError(f"{file}: {error}") from None
    folder = file.resolve().parent
    return Settings(folder, table["server"], folder / table["token_file"], bots)


def _bot(table: dict[str, Any]) -> BotSettings:
    _check(table, {"game": str, "name": str, "engine": list, "description": str,
                   "processes": int}, optional=("description", "processes"))
    bot = BotSettings(**table)
    config_of(bot.game)
    if not bot.engine or not all(isinstance(word, str) for word in bot.engine):
        raise ValueError("engine must be a list of words: a program and its arguments")
    if not 1 <= bot.processes <= _PROCESSES_MAX:
        raise ValueError(f"processes must be 1 to {_PROCESSES_MAX}")
    return bot


def _check(table: Any, kinds: dict[str, type], optional: Sequence[str] = ()) -> None:
    if not isinstance(table, dict):
        raise ValueError("a bot must be a table, [[bot]]")
    for name, value in table.items():
        if name not in kinds:
            raise ValueError(f"there is no setting {name}")
        if type(value) is not kinds[name]:  # pylint: disable=unidiomatic-typecheck
            raise ValueError(f"{name} must be a {kinds[name].__name__}")
    for name in kinds:
        if name not in table and name not in optional:
            raise ValueError(f"{name} is missing")
