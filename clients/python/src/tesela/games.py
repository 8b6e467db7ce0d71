"""The games whose messages are in this package, found by the names of their modules. Of any other
game the server tells the grid."""

import pkgutil
from importlib import import_module
from typing import cast

import tesela.game.v1
from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message

from tesela.play.v1 import course_pb2

_PACKAGE = "tesela.game.v1"
_modules = [import_module(f"{_PACKAGE}.{found.name}")
            for found in pkgutil.iter_modules(tesela.game.v1.__path__)]
_messages: dict[str, type[Message]] = {
    descriptor.full_name: getattr(module, name) for module in (*_modules, course_pb2)
    for name, descriptor in module.DESCRIPTOR.message_types_by_name.items()}


def pack(message: Message) -> Any:
    """The Any of a message of a game; one that is packed already stays as it is."""
    if isinstance(message, Any):
        return message
    packed = Any()
    packed.Pack(message)
    return packed


def unpack(packed: Any) -> Message | None:
    """The message inside an Any; None for one that this client does not know."""
    kind = _messages.get(packed.type_url.rpartition("/")[2])
    return kind.FromString(packed.value) if kind else None


def is_config_of(game: str, type_url: str) -> bool:
    """Whether a configuration is the game's, by the name of its message: Game2048Config of 2048,
    SameGameConfig of samegame."""
    prefix = ("game" if game[:1].isdigit() else "") + game.replace("_", "")
    before, _, name = type_url.rpartition(f"/{_PACKAGE}.")
    return before == "type.googleapis.com" and name.lower() == f"{prefix}config"


def config_of(game: str) -> type[Message]:
    """The message of a game's configuration. Raises TypeError for a game that this client does not
    know: such a configuration is packed by its caller."""
    for name, kind in _messages.items():
        if is_config_of(game, f"type.googleapis.com/{name}"):
            return kind
    raise TypeError(f"This client does not know {game}: pass its config as an Any.")


def seats_of(game: str, config: bytes) -> int:
    """How many seats a configuration gives a game: what its field `players` says, else two where
    it has that field, else one."""
    try:
        kind = config_of(game)
    except TypeError:
        return 1
    if "players" not in kind.DESCRIPTOR.fields_by_name:
        return 1
    message = kind.FromString(config)
    return cast(int, getattr(message, "players")) if message.HasField("players") else 2
