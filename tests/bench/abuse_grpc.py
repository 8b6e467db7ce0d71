"""What the abusers do at the gRPC port, in HTTP/2 written by hand."""

from abuse_kinds import BLOCK_BYTES, BYTE_PAUSE_SECONDS, Site, block, field, varint
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


def length(number: int) -> bytes:
    """In 7 bits and more (RFC 7541, 5.1)."""
    if number < 0x7f:
        return bytes([number])
    return b"\x7f" + varint(number - 0x7f)


def literal(name: bytes, value: bytes, kept: bool = False) -> bytes:
    """A header field, which the table of both ends keeps or not (RFC 7541, 6.2)."""
    return (b"\x40" if kept else b"\0") + length(len(name)) + name + length(len(value)) + value


def call(path: bytes, scheme: bytes = b"http", te: bytes = b"trailers") -> bytes:
    return b"".join(literal(*field) for field in (
        (b":method", b"POST"), (b":scheme", scheme), (b":authority", b"bench"), (b":path", path),
        (b"te", te), (b"content-type", b"application/grpc")))


LISTS = b"/tesela.lobby.v1.LobbyService/ListTables"
BOTS = b"/tesela.bot.v1.BotService/Play"
CALL = call(LISTS)
# What gRPC's library ends the process over when it is told of more than it shows (CVE-2023-1428).
FATAL = (call(LISTS, te=b"x"), call(LISTS, scheme=b"x"),
         CALL + literal(b"grpclb_client_stats", b"x"))
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


async def grpc_continuation_floods(line: Line, _: Site):
    """Headers that go on in frames of nothing (CVE-2024-27316)."""
    await _begin(line)
    await line.send(http2_frame(HEADERS, 0, 1, CALL))
    await line.flood(block(http2_frame(CONTINUATION, 0, 1, b"")))


async def grpc_header_bombs(line: Line, _: Site):
    """A large field in the table, and then a byte for each time that it comes."""
    await _begin(line)
    bomb = CALL + literal(b"x-bomb", b"b" * 3000, kept=True) + b"\xbe" * 8000
    await line.send(http2_frame(HEADERS, END_HEADERS | END_STREAM, 1, bomb))
    await line.wait(3600)


async def grpc_fatal_headers(line: Line, _: Site):
    await _begin(line)
    fatal = FATAL[id(line) // 64 % len(FATAL)]
    await line.send(http2_frame(HEADERS, END_HEADERS | END_STREAM, 1,
                                fatal + literal(b"x-large", b"x" * 9000)))
    await line.wait(3600)


async def _call_again_and_again(line: Line, path_of, message: bytes, pause_seconds: float):
    await _begin(line)
    stream = 1
    while not line.is_over:
        await line.send(http2_frame(HEADERS, END_HEADERS, stream, call(path_of(stream))) +
                        http2_frame(DATA, END_STREAM, stream, message))
        stream += 2
        await line.wait(pause_seconds)


async def grpc_unknown_paths(line: Line, _: Site):
    """Calls of methods that do not exist, each of another one."""
    await _call_again_and_again(line, lambda stream: b"/abuse%d/of%d" % (id(line), stream),
                                EMPTY_MESSAGE, 0.01)


async def grpc_health_floods(line: Line, _: Site):
    await _call_again_and_again(line, lambda _: b"/grpc.health.v1.Health/Check", EMPTY_MESSAGE,
                                0.01)


async def grpc_broken_text(line: Line, _: Site):
    """A name that is no UTF-8."""
    name = field(1, b"\xff\xfe")
    message = b"\0" + len(name).to_bytes(4, "big") + name
    await _call_again_and_again(line, lambda _: b"/tesela.lobby.v1.LobbyService/SignIn", message,
                                0.05)


async def grpc_unfinished_calls(line: Line, _: Site):
    """As many calls as there may be, whose messages begin and do not end."""
    await _begin(line)
    part = b"\0" + (60_000).to_bytes(4, "big") + b"x" * 500
    for stream in range(1, 2 * CALLS_A_BLOCK, 2):
        await line.send(http2_frame(HEADERS, END_HEADERS, stream, CALL) +
                        http2_frame(DATA, 0, stream, part))
    await line.wait(3600)


async def grpc_bot_offers(line: Line, site: Site):
    """Bots of one player, each on a stream of its own, that answer nothing; between them streams
    whose offer never comes."""
    await _begin(line)
    for stream in range(1, 2 * CALLS_A_BLOCK, 2):
        name = b"abuse-%d-%d" % (id(line) // 64 % 10_000, stream)
        offer = field(1, field(1, site.token.encode()) + field(2, b"azul") + field(3, name))
        message = b"\0" + len(offer).to_bytes(4, "big") + offer
        await line.send(http2_frame(HEADERS, END_HEADERS, stream, call(BOTS)) +
                        (http2_frame(DATA, 0, stream, message) if stream % 4 == 1 else b""))
    await line.wait(5)
    line.drop()


GRPC_KINDS = (grpc_garbage, grpc_slow_prefaces, grpc_silent, grpc_ping_floods,
              grpc_settings_floods, grpc_large_messages, grpc_rapid_resets, grpc_bad_headers,
              grpc_endless_headers, grpc_continuation_floods, grpc_header_bombs,
              grpc_fatal_headers, grpc_unknown_paths, grpc_health_floods, grpc_broken_text,
              grpc_unfinished_calls, grpc_bot_offers)
