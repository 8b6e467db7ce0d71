from typing import Any, TypeVar

from google.protobuf.message import Message

_Message = TypeVar("_Message", bound=Message)

class ParseError(Exception): ...

def MessageToDict(message: Message, **options: bool) -> dict[str, Any]: ...
def ParseDict(js_dict: dict[str, Any], message: _Message) -> _Message: ...
