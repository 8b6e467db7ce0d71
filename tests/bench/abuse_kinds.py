"""What the abusers do, apart from the gRPC port: one coroutine a kind, for one connection."""

import dataclasses
import re
import uuid

from abuse_line import Line
from lobby import HISTORY, LEADERBOARD, MATCHMAKING, SERVICE

BLOCK_BYTES = 32 * 1024  # of what is flooded, handed over at once
BYTE_PAUSE_SECONDS = 0.5
TEXT, CLOSE, PING, CONTINUATION = 1, 8, 9, 0
TOKEN = re.compile(rb'"token":"([^"]+)"')
PAGE = re.compile(rb'"nextPageToken":"([^"]+)"|"tables":\[\]|\r\n\r\n\{\}')
LENGTH_MAX = 2 ** 63 - 1
BURST = 64  # moves that wait for an answer
NO_TOKEN = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.AAAA"


@dataclasses.dataclass(frozen=True)
class Site:
    """What the abusers know of the server."""

    http: int
    grpc: int
    tables: list[str]
    token: str  # of a player of their own, who sits there
    long_table: str  # one at which there were many moves
    long_version: int
    finished_table: str  # one whose game is over
    practice_table: str  # one at which moves are taken back


def frame(code: int, payload: bytes, fin: bool = True, masked: bool = True,
          announced: int | None = None) -> bytes:
    """A frame of a WebSocket client, with a mask of zeros."""
    size = len(payload) if announced is None else announced
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
    return (f"GET /v1/tables/{table}/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Protocol: tesela.v1.json\r\n\r\n").encode()


def post(method: str, body: bytes, token: str = "", length: int | None = None,
         service: str = SERVICE, content: str = "json") -> bytes:
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    return (f"POST /{service}/{method} HTTP/1.1\r\nHost: localhost\r\n{bearer}"
            f"Content-Type: application/{content}\r\n"
            f"Content-Length: {len(body) if length is None else length}\r\n\r\n").encode() + body


def post_stream(method: str, message: bytes, service: str = SERVICE, token: str = "") -> bytes:
    """A call that is answered with a stream: the message stands in an envelope."""
    return post(method, b"\0" + len(message).to_bytes(4, "big") + message, token,
                service=service, content="connect+json")


def varint(number: int) -> bytes:
    some = b""
    while number > 0x7f:
        some += bytes([number & 0x7f | 0x80])
        number >>= 7
    return some + bytes([number])


def field(number: int, payload: bytes) -> bytes:
    """A field of protobuf with a length."""
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def hello(token: str = "", last_version: int = 0) -> bytes:
    return frame(TEXT, f'{{"hello":{{"token":"{token}","lastVersion":"{last_version}"}}}}'.encode())


def table_of(site: Site, line: Line) -> str:
    return site.tables[id(line) // 64 % len(site.tables)]


async def sit_down(line: Line, site: Site, token: str = "", table: str = ""):
    """As a spectator or a player, at one of the tables."""
    await line.send(upgrade(table or table_of(site, line)))
    await line.answered()
    await line.send(hello(token))
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
    await line.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 64 * 1024)
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
    await line.flood(block(b"GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"))


async def unclear_requests(line: Line, _: Site):
    """What two programs read in two ways: where a request ends, or a header."""
    begin = f"POST /{SERVICE}/SignIn HTTP/1.%s\r\nHost: localhost\r\n"
    unclear = (begin % 1 + "X: a\r\n b\r\n\r\n",
               begin % 0 + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
               begin % 1 + "Transfer-Encoding: gzip\r\n\r\n",
               begin % 1 + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
               begin % 1 + "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff;a=b\r\n{}",
               begin % 1 + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n")
    await line.send(unclear[id(line) // 64 % len(unclear)].encode())
    await line.wait(3600)


async def unknown_fields(line: Line, site: Site):
    """Tables whose options hold a field that nobody knows, as large as a request may be."""
    options = field(3, field(100, b"x" * 60_000))
    await _ask_again_and_again(line, post("CreateTable", field(1, b"2048") + options, site.token,
                                          content="proto"))


async def broken_text(line: Line, _: Site):
    """Strings that are no UTF-8."""
    await _ask_again_and_again(line, post("SignIn", field(1, b"\xff\xfe"), content="proto"))


async def _guest(line: Line) -> str:
    return await line.ask(post("SignIn", b'{"displayName":"Abuse"}'), TOKEN)


async def bots_alone(line: Line, _: Site):
    """Tables of guests who leave, at which a bot plays at the pace that it was told."""
    token = await _guest(line)
    table = (b'{"game":"2048","watchOnly":true,"bots":[{"strategy":"random"}],'
             b'"options":{"botPaceMs":0},'
             b'"config":{"@type":"type.googleapis.com/tesela.game.v1.Game2048Config","size":8}}')
    for _ in range(10):
        await line.send(post("CreateTable", table, token))
        await line.answered()
    await line.wait(60)


async def all_pages(line: Line, _: Site):
    """Lists to their end, by their page tokens, and pages that nobody was told of."""
    for state in ("TABLE_STATE_OVER", "TABLE_STATE_CLOSED", "TABLE_STATE_IN_PLAY"):
        token = ""
        while not line.is_over:
            listed = (f'{{"pageSize":100,"pageToken":"{token}","filter":{{"state":"{state}"}}}}')
            token = await line.ask(post("ListTables", listed.encode()), PAGE, seconds=2)
            if not token:
                break
    board = b'{"board":{"kind":"BOARD_KIND_RATINGS","game":"azul"},"pageSize":100,"pageToken":"%s"}'
    for token in (b"99999999", b"AAAA", b"!"):
        await line.send(post("GetBoard", board % token, service=LEADERBOARD))
        await line.answered()


async def unread_replays(line: Line, site: Site):
    line.stop_reading()
    await line.send(post_stream("Replay", b'{"tableId":"%s"}' % site.long_table.encode(),
                                service=HISTORY))
    await line.wait(3600)


async def unread_watches(line: Line, _: Site):
    line.stop_reading()
    await line.send(post_stream("WatchTables", b"{}"))
    await line.wait(3600)


async def records_again(line: Line, site: Site):
    """What makes the server play a long game again."""
    asked = b'{"tableId":"%s"}' % site.long_table.encode()
    for method in ("GetRecord", "Verify"):
        await line.send(post(method, asked, service=HISTORY))
        await line.answered()
    await line.wait(1)


async def broken_off_analyses(line: Line, site: Site):
    """Analyses of a finished game, which nobody waits for."""
    asked = b'{"tableId":"%s"}' % site.finished_table.encode()
    await line.send(post_stream("Analyse", asked, service=HISTORY))
    await line.answered()
    await line.wait(1)
    line.drop()


async def searches(line: Line, site: Site):
    """Searches for opponents, of every pace, by one player: each ends the one before."""
    pace = (b"QUICK", b"NORMAL", b"DAYS")[id(line) // 64 % 3]
    asked = b'{"game":"azul","mode":"MODE_RANKED","pace":"PACE_%s"}' % pace
    await line.send(post_stream("Find", asked, service=MATCHMAKING, token=site.token))
    await line.answered()
    await line.wait(1)
    line.drop()


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


async def announced_lengths(line: Line, site: Site):
    """Messages whose bytes never come."""
    await sit_down(line, site)
    await line.send(frame(TEXT, b"", announced=LENGTH_MAX))
    await line.wait(3600)


async def long_resumes(line: Line, site: Site):
    """Comes back again and again to where much was missed."""
    await line.send(upgrade(site.long_table))
    await line.answered()
    await line.send(hello(last_version=max(1, site.long_version - 100)))
    await line.answered()
    line.drop()


async def resent_moves(line: Line, site: Site):
    """The same moves, in bursts, by a player whose streams take over from each other."""
    await sit_down(line, site, site.token)
    move = ('{"move":{"moveId":"m%d","body":{"@type":"type.googleapis.com/'
            'tesela.game.v1.Game2048Move","direction":"DIRECTION_%s"}}}')
    burst = b"".join(frame(TEXT, (move % (number, "LEFT" if number % 2 else "UP")).encode())
                     for number in range(BURST))
    while not line.is_over:
        await line.send(burst)
        await line.wait(1)


async def claims(line: Line, site: Site):
    """Claims of spectators and players, in bursts, against seats that there are and are not."""
    await sit_down(line, site, site.token if id(line) // 64 % 2 else "")
    claim = '{"claim":{"claimId":"c%d","seat":%d,"wish":"CLAIM_WISH_%s"}}'
    burst = b"".join(frame(TEXT, (claim % (number, number % 5, "BOT" if number % 2 else
                                           "RESIGNATION")).encode()) for number in range(BURST))
    while not line.is_over:
        await line.send(burst)
        await line.wait(1)


async def talk_floods(line: Line, site: Site):
    """A player who never stops talking, in own words and in phrases."""
    await sit_down(line, site, site.token)
    said = (b'{"say":{"text":"%s"}}' % (b"abuse " * 30), b'{"say":{"phrase":"PHRASE_HELLO"}}')
    while not line.is_over:
        await line.send(b"".join(frame(TEXT, one) for one in said) * 16)
        await line.wait(0.5)


async def undo_floods(line: Line, site: Site):
    """Moves that are taken back at once, each of which plays a part of the log again."""
    await sit_down(line, site, site.token, site.practice_table)
    move = '{"move":{"moveId":"%s","body":{"@type":"type.googleapis.com/tesela.%s}}}'
    moves = (*(f'game.v1.Game2048Move","direction":"DIRECTION_{way}"' for way in ("LEFT", "UP")),
             *('play.v1.Undo"',) * 2)
    while not line.is_over:
        burst = (move % (uuid.uuid4().hex, one) for _ in range(8) for one in moves)
        await line.send(b"".join(frame(TEXT, one.encode()) for one in burst))
        await line.wait(0.5)


async def cut_ids(line: Line, site: Site):
    """Ids that are cut, where they are too long, inside of a character."""
    await sit_down(line, site, site.token)
    ids = b'{"hintRequest":{"hintId":"x%s"}}' % ("\u00e9" * 30).encode()
    while not line.is_over:
        await line.send(frame(TEXT, ids) * 10)
        await line.wait(1)


async def never_reading(line: Line, site: Site):
    await sit_down(line, site)
    line.stop_reading()
    # Below the limit of frames: the answers fill what the server keeps for a connection.
    while not line.is_over:
        await line.send(frame(TEXT, b'{"ping":{"nonce":"1"}}') * 20)
        await line.wait(0.1)


KINDS = (slow_heads, slow_bodies, silent_connections, large_heads, large_bodies, no_http,
         sign_in_floods, table_floods, bad_bearers, pipelined_requests, unclear_requests,
         unknown_fields, broken_text, bots_alone, all_pages, unread_replays, unread_watches,
         records_again, broken_off_analyses, searches, no_hello, bad_tokens, unknown_tables,
         frame_floods, control_floods, fragment_floods, oversized_frames, malformed_frames,
         announced_lengths, long_resumes, resent_moves, claims, talk_floods, undo_floods,
         cut_ids, never_reading)
