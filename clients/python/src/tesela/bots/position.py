"""A question as a line of JSON, and the move that an engine's line means."""

import inspect
import json
from typing import Any

from google.protobuf import any_pb2
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message

from tesela.bot.v1.bot_pb2 import Question
from tesela.games import pack, unpack

# Newer versions of protobuf have another name for it.
_OPTION = next(name for name in inspect.signature(MessageToDict).parameters if name in (
    "including_default_value_fields", "always_print_fields_with_no_presence"))


def question_line(question: Question, game: str, deadline_ms: int) -> str:
    """What an engine reads, without the end of the line. Raises ValueError."""
    return json.dumps({
        "id": question.question_id, "game": game, "table": question.table_id,
        "version": question.version, "seat": question.seat, "players": [*question.players],
        "ranked": question.ranked, "deadline_ms": deadline_ms, "config": _json(question.config),
        "view": _json(question.view), "moves": [_json(move) for move in question.legal_moves]})


def move_of(line: bytes, question: Question) -> any_pb2.Any:
    """The move at an index of `moves`, or one in JSON. Raises ValueError."""
    try:
        answer = json.loads(line)
        if type(answer) is int:  # pylint: disable=unidiomatic-typecheck
            if not 0 <= answer < len(question.legal_moves):
                raise ValueError(f"there are {len(question.legal_moves)} moves")
            return question.legal_moves[answer]
        if not isinstance(answer, dict):
            raise ValueError("neither an index nor an object")
        return pack(ParseDict(answer, type(_unpacked(question.legal_moves[0]))()))
    except (ParseError, RecursionError) as error:
        raise ValueError(str(error)) from None


def _json(packed: any_pb2.Any) -> Any:
    return MessageToDict(_unpacked(packed), **{_OPTION: True})


def _unpacked(packed: any_pb2.Any) -> Message:
    message = unpack(packed)
    if message is None:
        raise ValueError(f"this version of tesela does not know {packed.type_url}")
    return message
