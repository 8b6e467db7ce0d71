"""Calls of the server's services by the Connect protocol, in protobuf."""

import base64
import json
import struct
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import aiohttp
from google.protobuf.message import Message

from tesela.errors import CallFailed, Refused

Answer = TypeVar("Answer", bound=Message)

_ENVELOPE = struct.Struct(">BI")  # flags, length
_END_OF_STREAM = 2
_CODES = {400: "internal", 401: "unauthenticated", 403: "permission_denied",
          404: "unimplemented", 429: "unavailable", 502: "unavailable", 503: "unavailable",
          504: "unavailable"}


async def unary(http: aiohttp.ClientSession, url: str, headers: dict[str, str],
                timeout: aiohttp.ClientTimeout, request: Message,
                answer: type[Answer]) -> Answer:
    """One question, one answer. Raises Refused and CallFailed."""
    headers = headers | {"content-type": "application/proto"}
    with _failures():
        async with http.post(url, data=request.SerializeToString(), headers=headers,
                             timeout=timeout) as response:
            body = await response.read()
            if response.status == 200 and response.content_type == "application/proto":
                return answer.FromString(body)
            raise _error_of_status(response.status, body)


async def server_stream(http: aiohttp.ClientSession, url: str, headers: dict[str, str],
                        timeout: aiohttp.ClientTimeout, request: Message,
                        answer: type[Answer],
                        opened: Callable[[aiohttp.StreamReader], object]
                        ) -> AsyncGenerator[Answer, None]:
    """One question, many answers, until the server has told all. Raises Refused and CallFailed.
    `opened`: of what the answers are read."""
    headers = headers | {"content-type": "application/connect+proto"}
    message = request.SerializeToString()
    body = _ENVELOPE.pack(0, len(message)) + message
    with _failures():
        async with http.post(url, data=body, headers=headers, timeout=timeout) as response:
            if response.content_type != "application/connect+proto":
                raise _error_of_status(response.status, await response.read())
            opened(response.content)
            while True:
                head = await response.content.readexactly(_ENVELOPE.size)
                flags, length = _ENVELOPE.unpack(head)
                data = await response.content.readexactly(length)
                if flags & _END_OF_STREAM:
                    if error := json.loads(data).get("error"):
                        raise _error(error)
                    return
                yield answer.FromString(data)


@contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except (aiohttp.ClientError, TimeoutError, EOFError) as error:
        raise CallFailed("unavailable", str(error) or "The server does not answer.") from error


def _error_of_status(status: int, body: bytes) -> Refused | CallFailed:
    try:
        return _error(json.loads(body))
    except (ValueError, AttributeError, LookupError):
        # Not the server's words, but those of something in between.
        code = _CODES.get(status, "unknown")
        return CallFailed(code, f"The answer has the HTTP status {status}.")


def _error(error: dict[str, Any]) -> Refused | CallFailed:
    code, message = str(error["code"]), str(error.get("message", ""))
    for detail in error.get("details", ()):
        if detail["type"] == "google.rpc.ErrorInfo":
            # Field 1, a short text: the reason.
            value = base64.b64decode(detail["value"] + "==")
            if value[:1] == b"\n":
                return Refused(value[2:2 + value[1]].decode(), message, code)
    return CallFailed(code, message)
