"""What the abusers do, apart from the gRPC port: one coroutine a kind, for one connection."""

import dataclasses
import uuid

from abuse_line import Line
from lobby import SERVICE

BLOCK_BYTES = 32 * 1024  # of what is flooded, handed over at once
BYTE_PAUSE_SECONDS = 0.5
TEXT, CLOSE, PING, CONTINUATION = 1, 8, 9, 0
NO_TOKEN = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.AAAA"


@dataclasses.dataclass(frozen=True)
class Site:
    """What the abusers know of the server."""

    http: int
    grpc: int
    tables: list[str]
    token: str  # of a player of their own


def frame(code: int, payload: bytes, fin: bool = True, masked: bool = True) -> bytes:
    """A frame of a WebSocket client, with a mask of zeros."""
    size = len(payload)
    head = bytes([(0x80 if fin else 0) | code])
    mask = 0x80 if masked else 0
    if size < 126:
        head += bytes([mask | size])
    elif size < 0x10000:
        head += bytes([mask | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([mask | 127]) + size.to_bytes(8, "big")
    return head + (bytes(4) if masked else b"") + payload


def block(one: bytes) -> bytes:
    """As many as go into a block."""
    return one * max(1, BLOCK_BYTES // len(one))


def upgrade(table: str) -> bytes:
    return (f"GET /v1/tables/{table}/stream HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Protocol: tesela.v1.json\r\n\r\n").encode()


def post(method: str, body: bytes, token: str = "", length: int | None = None) -> bytes:
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    return (f"POST /{SERVICE}/{method} HTTP/1.1\r\nHost: bench\r\n{bearer}"
            "Content-Type: application/json\r\n"
            f"Content-Length: {len(body) if length is None else length}\r\n\r\n").encode() + body


def hello(token: str = "") -> bytes:
    return frame(TEXT, f'{{"hello":{{"token":"{token}"}}}}'.encode())


def table_of(site: Site, line: Line) -> str:
    return site.tables[id(line) // 64 % len(site.tables)]


async def sit_down(line: Line, site: Site):
    """As a spectator, at one of the tables."""
    await line.send(upgrade(table_of(site, line)))
    await line.answered()
    await line.send(hello())
    await line.answered()


# --- HTTP


async def slow_heads(line: Line, site: Site):
    await line.trickle(upgrade(table_of(site, line)), BYTE_PAUSE_SECONDS)


async def slow_bodies(line: Line, _: Site):
    await line.send(post("SignIn", b"", length=1000))
    await line.trickle(b" " * 1000, BYTE_PAUSE_SECONDS)


async def silent_connections(line: Line, _: Site):
    await line.wait(3600)


async def large_heads(line: Line, _: Site):
    await line.send(b"GET / HTTP/1.1\r\nHost: bench\r\nX: " + b"x" * 64 * 1024)
    await line.wait(3600)


async def large_bodies(line: Line, _: Site):
    await line.send(post("SignIn", b"x" * 1024 * 1024))
    await line.wait(3600)


async def no_http(line: Line, _: Site):
    await line.send(bytes(range(256)) * 16)
    await line.wait(3600)


async def _ask_again_and_again(line: Line, request: bytes):
    while not line.is_over:
        await line.send(request)
        await line.answered()


async def sign_in_floods(line: Line, _: Site):
    await _ask_again_and_again(line, post("SignIn", b'{"displayName":"Abuse"}'))


async def table_floods(line: Line, site: Site):
    await _ask_again_and_again(line, post("CreateTable", b'{"game":"2048"}', site.token))


async def bad_bearers(line: Line, _: Site):
    await _ask_again_and_again(line, post("CreateTable", b'{"game":"2048"}', NO_TOKEN))


async def pipelined_requests(line: Line, _: Site):
    line.stop_reading()
    await line.flood(block(b"GET /none HTTP/1.1\r\nHost: bench\r\n\r\n"))


# --- The stream


async def no_hello(line: Line, site: Site):
    await line.send(upgrade(table_of(site, line)))
    await line.wait(3600)


async def bad_tokens(line: Line, site: Site):
    await line.send(upgrade(table_of(site, line)))
    await line.answered()
    await line.send(hello(NO_TOKEN))
    await line.wait(3600)


async def unknown_tables(line: Line, _: Site):
    await line.send(upgrade(uuid.uuid4().hex[:13]))
    await line.answered()
    await line.send(hello())
    await line.wait(3600)


async def frame_floods(line: Line, site: Site):
    await sit_down(line, site)
    await line.flood(block(frame(TEXT, b'{"ping":{"nonce":"1"}}')))


async def control_floods(line: Line, site: Site):
    await sit_down(line, site)
    await line.flood(block(frame(PING, b"")))


async def fragment_floods(line: Line, site: Site):
    await sit_down(line, site)
    await line.send(frame(TEXT, b"", fin=False))
    await line.flood(block(frame(CONTINUATION, b"", fin=False)))


async def oversized_frames(line: Line, site: Site):
    await sit_down(line, site)
    await line.send(frame(TEXT, b" " * 1024 * 1024))
    await line.wait(3600)


async def malformed_frames(line: Line, site: Site):
    await sit_down(line, site)
    for _ in range(20):
        await line.send(frame(TEXT, b"[" * 4000))
    await line.send(frame(TEXT, b"{}", masked=False))
    await line.wait(3600)


async def never_reading(line: Line, site: Site):
    await sit_down(line, site)
    line.stop_reading()
    # Below the limit of frames: the answers fill what the server keeps for a connection.
    while not line.is_over:
        await line.send(frame(TEXT, b'{"ping":{"nonce":"1"}}') * 20)
        await line.wait(0.1)


KINDS = (slow_heads, slow_bodies, silent_connections, large_heads, large_bodies, no_http,
         sign_in_floods, table_floods, bad_bearers, pipelined_requests, no_hello, bad_tokens,
         unknown_tables, frame_floods, control_floods, fragment_floods, oversized_frames,
         malformed_frames, never_reading)
