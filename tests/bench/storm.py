"""All clients of a server come back at once after it was killed, beside somebody who plays."""

import base64
import itertools
import multiprocessing
import os
import pathlib
import selectors
import socket
import time

import lobby
import processes
from long_game import Player, percentiles

TABLES_OF_PLAYER = 20  # a player has at most so many streams and live tables
PLAYERS_AT_ONCE = 2    # processes that play while the games are made
SECONDS_MAX = 120
REST_SECONDS = 2       # that somebody plays before all others come back
PAUSE_SECONDS = 0.001  # between two moves of that player


def make_games(port: int, tables: int, moves: int, made) -> None:
    """Plays games of so many moves, one after the other; (table, token, version) of each."""
    token = ""
    for number in range(tables):
        if number % TABLES_OF_PLAYER == 0:
            token = lobby.sign_in(port)
        player = Player(port, token=token)
        player.play_until(moves)
        player.stream.close()
        made.put((player.table, token, player.version))


class Comeback:
    """A client that sends its upgrade and its Hello at once, and reads until it has a position."""

    def __init__(self, port: int, table: str, token: str, version: int):
        hello = ('{"hello":{"token":"%s","lastVersion":"%d"}}' % (token, version)).encode()
        key = base64.b64encode(os.urandom(16)).decode()
        size = bytes([0x80 | len(hello)]) if len(hello) < 126 else (
            b"\xfe" + len(hello).to_bytes(2, "big"))
        self._request = (
            f"GET /v1/tables/{table}/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Protocol: tesela.v1.json\r\n\r\n").encode()
        self._hello = b"\x81" + size + bytes(4) + hello
        self._read = b""
        self._greeted = False
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setblocking(False)
        self.socket.sendall(self._request)

    def is_back(self) -> bool:
        """Reads what is there: whether the Welcome says where the table is."""
        try:
            data = self.socket.recv(65536)
        except BlockingIOError:
            return False
        if not data:
            raise processes.BenchError(f"a stream was closed: {self._read[-200:]!r}")
        self._read += data
        if not self._greeted and b"\r\n\r\n" in self._read:
            self._greeted = True
            self.socket.sendall(self._hello)
        return b'"resumed":true' in self._read or b'"snapshot":' in self._read


def come_back(port: int, games: list[tuple[str, str, int]], behind: int) -> list[float]:
    """Seconds until each client is back, of all that connect at once."""
    begin = time.perf_counter()
    clients = [Comeback(port, table, token, version - behind) for table, token, version in games]
    times = []
    with selectors.DefaultSelector() as selector:
        for client in clients:
            selector.register(client.socket, selectors.EVENT_READ, client)
        while len(times) < len(clients):
            ready = selector.select(SECONDS_MAX)
            if not ready:
                raise processes.BenchError(f"{len(clients) - len(times)} clients do not come back")
            for key, _ in ready:
                if key.data.is_back():
                    times.append(time.perf_counter() - begin)
                    selector.unregister(key.fileobj)
    for client in clients:
        client.socket.close()
    return times


def play_beside(port: int, over, played) -> None:
    """Plays at a table of its own until `over`: when each move was sent, and how many milliseconds
    its event took."""
    player = Player(port)
    moves = []
    while not over.is_set():
        sent = time.perf_counter()
        moves.append((sent, player.measure(1, PAUSE_SECONDS)[0]))
    played.put(moves)


def storm(port: int, games: list[tuple[str, str, int]], behind: int, played_at: int) -> str:
    """All come back while somebody plays, at the server of port `played_at`; the figures of
    both."""
    where = "of another table" if played_at == port else "at another server"
    over, played = multiprocessing.Event(), multiprocessing.Queue()
    player = multiprocessing.Process(target=play_beside, args=(played_at, over, played))
    player.start()
    time.sleep(REST_SECONDS)
    begin = time.perf_counter()
    times = sorted(come_back(port, games, behind))
    end = time.perf_counter()
    over.set()
    moves = played.get(timeout=SECONDS_MAX)
    player.join()
    rest, beside = ([ms for sent, ms in moves if first <= sent < last]
                    for first, last in ((0, begin), (begin, end)))
    (rest50, rest99), (beside50, beside99) = percentiles(rest), percentiles(beside)
    return (f"half are back after {times[len(times) // 2]:.2f} s, all after {times[-1]:.2f} s; "
            f"moves {where}: at rest p50 {rest50:.2f} p99 {rest99:.2f} ms, beside p50 "
            f"{beside50:.2f} p99 {beside99:.2f} ms, ratio p99 {beside99 / rest99:.1f}")


def measure(program: pathlib.Path, build: pathlib.Path, tables: int, moves: int) -> None:
    options = ("--frame-rate", "0", "--shared-frame-rate", "0", "--table-rate", "0",
               "--sign-in-rate", "0", "--connect-rate", "0")
    with processes.data_folder(build) as data:
        games = []
        with processes.server_on(program, data, *options) as (port, process):
            made = multiprocessing.Queue()
            shares = [tables // PLAYERS_AT_ONCE + (n < tables % PLAYERS_AT_ONCE)
                      for n in range(PLAYERS_AT_ONCE)]
            makers = [multiprocessing.Process(target=make_games, args=(port, share, moves, made))
                      for share in shares]
            for maker in makers:
                maker.start()
            games = [made.get(timeout=SECONDS_MAX) for _ in range(tables)]
            for maker in makers:
                maker.join()
            process.kill()
            process.wait()
        # At another server too: what a storm costs there, the machine takes that all share.
        for behind, elsewhere in itertools.product((0, 3), (False, True)):
            with (processes.data_folder(build) as empty,
                  processes.server_on(program, empty, *options) as (other_port, _),
                  processes.server_on(program, data, *options) as (port, process)):
                print(f"{tables} tables of {moves} moves, {behind} behind: "
                      + storm(port, games, behind, other_port if elsewhere else port), flush=True)
                process.kill()
                process.wait()
