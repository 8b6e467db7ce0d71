#!/usr/bin/env python3
"""What an old server costs: one with many finished games and players. The time from its start to
ready, after a stop and after a kill -9; each list and board call at its first page, in the middle
and at the end; and what the retention gives back. `--before` names a build to compare with, of the
same schema or an earlier one: it gets the same data, and is measured first. `--help` lists the
options. `--database` measures the same rows on PostgreSQL too, where `tesela-server migrate` brings
them.
"""

import argparse
import base64
import contextlib
import hashlib
import hmac
import http.client
import json
import pathlib
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time

import lobby
import processes
from lobby import LEADERBOARD
from postgres_server import Database, postgres
from processes import free_port
from rows import CLOSED, OVER, config_of_2048, count_lines, open_to_fill, text_of

FIRST_PLAYER = 1_000_000
NOW_MS = int(time.time() * 1000)
YEAR_MS = 365 * 24 * 3600 * 1000
ADMIN = "tesela.admin.v1.AdminService"
BOT = "greedy"


def fill(file: pathlib.Path, games: int, players: int) -> None:
    """Adds players, and games for two of which one in twenty was closed: half of them of Azul,
    which is rated for a quarter of the players, half of 2048, each player's best on one board. In
    one of four games the second player is a bot. A game has three events."""
    database = open_to_fill(file)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -500000")
    config = config_of_2048(database)
    begin = NOW_MS - 2 * YEAR_MS
    values = {"first": FIRST_PLAYER, "players": players, "games": games, "config": config,
              "begin": begin, "step": 2 * YEAR_MS // games, "over": OVER, "closed": CLOSED,
              "record": b"r" * 70, "bot": bot_of(database)}
    numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT :{}) "
    # A multiplication spreads the numbers: neighbours are strangers.
    guest = ":first + (i * 7919 + {}) % :players"
    database.execute(numbers.format("players") + """
        INSERT INTO players (id, display_name, created_ms, kind, identity, seen_ms)
        SELECT :first + i, 'Guest ' || i, :begin + i, 1, x'', 0 FROM n""", values)
    database.execute(numbers.format("games") + f"""
        INSERT INTO tables (id, game, config, options, owner_id, invite, seed, state, assisted,
          seat_count, epoch, created_ms, result, ended_ms, public)
        SELECT 1000 + i, iif(i % 2, 'azul', '2048'), :config, x'', {guest.format(0)}, '', x'',
          iif(i % 20, :over, :closed), 0, 2, 1, :begin + i * :step, iif(i % 20, x'', NULL),
          :begin + i * :step + 600000, 1 FROM n""", values)
    by_bot = f"iif(i % 4, {guest.format(1)}, :bot)", f"iif(i % 4, '', '{BOT}')"
    for seat, (player, strategy) in enumerate(((guest.format(0), "''"), by_bot)):
        database.execute(numbers.format("games") + f"""
            INSERT INTO seats (table_id, seat, player_id, strategy, contribution,
              contribution_state, game, public, state, created_ms)
            SELECT 1000 + i, {seat}, {player}, {strategy}, x'', 0,
              iif(i % 2, 'azul', '2048'), 1, iif(i % 20, :over, :closed), :begin + i * :step
            FROM n""", values)
    database.execute(numbers.format("games") + """
        INSERT INTO events (table_id, version, record) SELECT 1000 + i, v, :record
        FROM n, (SELECT 1 AS v UNION SELECT 2 UNION SELECT 3)""", values)
    database.execute(numbers.format("players") + """
        INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms, opponents)
        SELECT 'azul', :first + i, 25, 5, 9, 600 + (i * 7919) % 1500,
        :begin + i, 9 FROM n WHERE i % 4 = 0""", values)
    board = database.execute("INSERT INTO boards (kind, game, config, day) VALUES (2, '2048', ?, 0)"
                             " RETURNING id", (config,)).fetchone()[0]
    database.execute(numbers.format("players") + f"""
        INSERT INTO scores (board_id, player_id, points, at_ms, table_id)
        SELECT {board}, :first + i, 4 * ((i * 104729) % 50000), :begin + i,
          1000 + 2 * (i * :games / :players / 2) FROM n""", values)
    count_lines(database)
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def bot_of(database: sqlite3.Connection) -> int:
    return database.execute(f"SELECT id FROM players WHERE display_name = '{BOT}'").fetchone()[0]


def token_of(data: pathlib.Path, player: int) -> str:
    """A token of the server, as it signs them (server/accounts/tokens.cc)."""
    def encoded(octets: bytes) -> str:
        return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()

    claims = {"iss": "tesela", "sub": text_of(player), "name": "Guest",
              "iat": NOW_MS // 1000, "exp": NOW_MS // 1000 + 86400}
    signed = encoded(b'{"alg":"HS256","typ":"JWT"}') + "." + encoded(json.dumps(claims).encode())
    key = (data / "token.key").read_bytes()
    return signed + "." + encoded(hmac.new(key, signed.encode(), hashlib.sha256).digest())


def page_token(*numbers: int) -> str:
    """As server/services/page_token.cc has it."""
    packed = struct.pack(f">{len(numbers)}q", *numbers)
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


class Server:
    """One process on a data folder."""

    def __init__(self, build: pathlib.Path, data: pathlib.Path, *options: str):
        self.data = data
        self.port = free_port()
        self.command = [str(build / "bin" / "tesela-server"), "--data", str(data), "--http-port",
                        str(self.port), "--grpc-port", str(free_port()), "--log-level", "error",
                        "--request-rate", "0", *options]
        self.line = None

    def __enter__(self):
        begin = time.perf_counter()
        self.process = subprocess.Popen(self.command)
        while not processes.is_ready(self.port):
            if self.process.poll() is not None:
                raise processes.BenchError("the server did not start")
            time.sleep(0.005)
        self.ready_seconds = time.perf_counter() - begin
        self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        return self

    def __exit__(self, *_):
        self.end(signal.SIGTERM)

    def end(self, how: signal.Signals) -> None:
        if self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait()

    def call(self, service: str, method: str, request: dict, token: str = "") -> dict:
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        self.line.request("POST", f"/{service}/{method}", json.dumps(request), headers)
        answer = self.line.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise processes.BenchError(f"{method} {request}: {answer.status} {text.decode()}")
        return json.loads(text)


def pages_of(database: sqlite3.Connection, sql: str, count: int) -> list[str]:
    """Tokens of the first page, one in the middle and the last full one."""
    def at(offset: int) -> str:
        row = database.execute(f"{sql} LIMIT 1 OFFSET {offset}").fetchone()
        return page_token(*row) if row else ""

    return ["", at(count // 2), at(max(count - 100, 0))]


def calls_of(server: Server, rows: pathlib.Path) -> list[tuple[str, str, str, list[dict], str]]:
    """Name, service, method, the requests of the pages, token. Each page has 100 rows. `rows`: a
    data folder with the rows that the server has."""
    database = sqlite3.connect(rows / "tesela.db")

    def one(sql: str):
        return database.execute(sql).fetchone()

    def tables(name: str, wanted: dict, condition: str):
        order = f"FROM tables WHERE public = 1 AND {condition} ORDER BY created_ms DESC, id DESC"
        count = one(f"SELECT count(*) FROM tables WHERE public = 1 AND {condition}")[0]
        tokens = pages_of(database, "SELECT created_ms, id " + order, count)
        return (f"ListTables {name}", lobby.SERVICE, "ListTables",
                [{"filter": wanted, "pageSize": 100, "pageToken": t} for t in tokens], "")

    def board(name: str, wanted: dict, lines: str):
        count = one(f"SELECT count(*) FROM {lines}")[0]
        order = "ORDER BY points DESC, at_ms, player_id"
        tokens = [""]
        for place in (count // 2, count - 100):
            row = one(f"SELECT points, at_ms, player_id FROM {lines} {order} LIMIT 1 OFFSET "
                      f"{place - 1}")
            tokens.append(page_token(place, *row))
        yield (f"GetBoard {name}", LEADERBOARD, "GetBoard",
               [{"board": wanted, "pageSize": 100, "pageToken": t} for t in tokens], "")
        for where, place in (("top", 0), ("middle", count // 2), ("last", count - 1)):
            player = one(f"SELECT player_id FROM {lines} {order} LIMIT 1 OFFSET {place}")[0]
            yield (f"GetBoard {name} around the {where}", LEADERBOARD, "GetBoard",
                   [{"board": wanted, "pageSize": 20, "aroundMe": True}],
                   token_of(server.data, player))

    def of_player(name: str, player: int, **wanted):
        return (f"ListTables of {name}", lobby.SERVICE, "ListTables",
                [{"filter": {"playerId": text_of(player), **wanted}, "pageSize": 100}], "")

    players = one("SELECT count(*) FROM players")[0]
    admin = (server.data / "admin.key").read_text().strip()
    bot = bot_of(database)
    return [
        tables("all", {}, "1"),
        tables("over", {"state": "TABLE_STATE_OVER"}, f"state = {OVER}"),
        tables("azul", {"game": "azul"}, "game = 'azul'"),
        tables("azul, closed", {"game": "azul", "state": "TABLE_STATE_CLOSED"},
               f"game = 'azul' AND state = {CLOSED}"),
        tables("in play", {"state": "TABLE_STATE_IN_PLAY"}, "state = 1"),
        of_player("a player", FIRST_PLAYER + 5),
        of_player("nobody", 42),
        of_player("a bot", bot),
        of_player("a bot, closed", bot, state="TABLE_STATE_CLOSED"),
        of_player("a bot, azul, open", bot, game="azul", state="TABLE_STATE_OPEN"),
        ("ListPlayers", ADMIN, "ListPlayers",
         [{"pageSize": 100, "pageToken": t} for t in
          pages_of(database, "SELECT created_ms, id FROM players ORDER BY created_ms DESC, id DESC",
                   players)], admin),
        ("ListPlayers by name", ADMIN, "ListPlayers", [{"pageSize": 100, "namePrefix": "Guest 7"}],
         admin),
        *board("best", {"game": "2048", "kind": "BOARD_KIND_BEST"}, "scores"),
        *board("ratings", {"game": "azul"}, "ratings"),
    ]


def milliseconds(server: Server, call, request: dict, times: int) -> tuple[float, float]:
    """p50 and p99."""
    _, service, method, _, token = call
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        server.call(service, method, request, token)
        taken.append((time.perf_counter() - begin) * 1000)
    taken.sort()
    return taken[len(taken) // 2], taken[min(len(taken) - 1, len(taken) * 99 // 100)]


def megabytes(data: pathlib.Path) -> float:
    return (data / "tesela.db").stat().st_size / 1e6


def measure(build: pathlib.Path, data: pathlib.Path, times: int, rows: pathlib.Path | None = None,
            options: tuple[str, ...] = ()) -> None:
    """`rows` and `options`: where the server's rows are not in its data folder."""
    with Server(build, data, *options) as server:
        upgrade = "" if rows else (" (with the upgrade of the schema if there is one), database "
                                   f"{megabytes(data):.0f} MB")
        print(f"  first start to ready {server.ready_seconds:.2f} s{upgrade}")
        for call in calls_of(server, rows or data):
            figures = [milliseconds(server, call, request, times) for request in call[3]]
            print(f"  {call[0]:36}" + "   ".join(f"{p50:6.2f} {p99:6.2f}" for p50, p99 in figures),
                  flush=True)
    for how in (signal.SIGTERM, signal.SIGKILL):
        taken = []
        for _ in range(3):
            with Server(build, data, *options) as server:
                taken.append(server.ready_seconds)
                token = lobby.sign_in(server.port)
                for _ in range(20):
                    lobby.call(server.port, "CreateTable", {"game": "2048"}, token)
                server.end(how)
        print(f"  start to ready after {how.name}: "
              + ", ".join(f"{seconds:.2f}" for seconds in taken) + " s", flush=True)


def retain(build: pathlib.Path, games: int, players: int, closed_of: int) -> None:
    """Deletes what is older than a year of a folder of real games (`fill`), and says how fast and
    how much. One game in `closed_of` was closed."""
    year = f"{YEAR_MS // 1000}s"
    with processes.data_folder(build) as folder:
        data = pathlib.Path(folder) / "data"
        subprocess.run([build / "bin" / "fill", "--out", data, "--games", str(games), "--players",
                        str(players), "--closed-of", str(closed_of)], check=True)
        before = megabytes(data)
        with Server(build, data, "--keep-games", year, "--keep-guests", year) as server:
            # The first search begins after a minute.
            database = sqlite3.connect(data / "tesela.db")
            tables = database.execute("SELECT count(*) FROM tables").fetchone()[0]
            print(f"  {tables} tables, {before:.0f} MB before the retention", flush=True)
            wait_for_retention(server, database, tables)
        print(f"  {megabytes(data):.0f} MB after it has given back what it deleted", flush=True)


def deleted(server: Server) -> dict[str, float]:
    server.line.request("GET", "/metrics")
    text = server.line.getresponse().read().decode()
    found = {}
    for line in text.splitlines():
        if line.startswith("tesela_deleted_total{"):
            found[line.split('"')[1]] = float(line.rsplit(" ", 1)[1])
    return found


def wait_for_retention(server: Server, database: sqlite3.Connection, tables: int) -> None:
    begin = None
    last, still = {}, 0
    while still < 20:
        time.sleep(0.5)
        now = deleted(server)
        if sum(now.values()) > 0 and begin is None:
            begin = time.perf_counter()
        still = still + 1 if begin and now == last else 0
        last = now
    seconds = time.perf_counter() - begin - 10
    left = database.execute("SELECT count(*) FROM tables").fetchone()[0]
    print(f"  deleted in {seconds:.0f} s: " + ", ".join(f"{int(n)} {what}s" for what, n in
                                                       last.items())
          + f"; {left} of {tables} tables are left", flush=True)


def prepare(build: pathlib.Path, data: pathlib.Path, arguments: argparse.Namespace) -> None:
    with Server(build, data) as server:
        lobby.call(server.port, "CreateTable", {"game": "2048"}, lobby.sign_in(server.port))
    begin = time.perf_counter()
    fill(data / "tesela.db", arguments.games, arguments.players)
    subprocess.run([build / "bin" / "tesela-server", "compact", "--data", data], check=True,
                   stdout=subprocess.DEVNULL)
    print(f"{arguments.games} games, {arguments.players} players, {megabytes(data):.0f} MB, filled "
          f"in {time.perf_counter() - begin:.0f} s", flush=True)


@contextlib.contextmanager
def database_of(arguments: argparse.Namespace):
    """The empty PostgreSQL of --database."""
    if arguments.database == "own":
        with postgres(arguments.build.resolve()) as database:
            yield database
    else:
        yield Database(arguments.database)


def measure_on_postgres(arguments: argparse.Namespace, data: pathlib.Path) -> None:
    """Migrates the rows of a data folder whose server has ended, and measures a server with a new
    folder and the same keys."""
    with database_of(arguments) as database, processes.data_folder(arguments.build) as folder:
        begin = time.perf_counter()
        command = [arguments.build / "bin" / "tesela-server", "migrate", "--from", data, "--to",
                   database.url]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise processes.BenchError(f"the rows were not migrated: {done.stderr}")
        migrated = time.perf_counter()
        # As autovacuum does some minutes later.
        database.run("VACUUM ANALYZE")
        size = database.number("SELECT pg_database_size(current_database())") / 1e6
        analysed = time.perf_counter()
        print(f"on PostgreSQL: {arguments.build}\n  migrated in {migrated - begin:.0f} s, analysed "
              f"in {analysed - migrated:.0f} s, {size:.0f} MB", flush=True)
        node = pathlib.Path(folder)
        for key in ("token", "daily", "admin"):
            shutil.copy(data / f"{key}.key", node / f"{key}.key")
        options = ["--database", database.url]
        for key in ("token", "daily"):
            options += [f"--{key}-secret-file", str(node / f"{key}.key")]
        measure(arguments.build, node, arguments.times, data, tuple(options))


def run(arguments: argparse.Namespace, folder: str) -> None:
    data = pathlib.Path(folder)
    prepare(arguments.before or arguments.build, data, arguments)
    print("p50 and p99 in ms at the first page, in the middle, at the last")
    for name, build in (("before", arguments.before), ("now", arguments.build)):
        if build:
            print(f"{name}: {build}")
            measure(build, data, arguments.times)
    if arguments.database:
        measure_on_postgres(arguments, data)
    if arguments.retain:
        players = max(8, arguments.retain // 5)
        retain(arguments.build, arguments.retain, players, arguments.closed_of)


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--before", type=pathlib.Path, help="a build to compare with")
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=200_000)
    parser.add_argument("--times", type=int, default=200, help="calls of each kind")
    parser.add_argument("--database", metavar="URL", help="also measure on this PostgreSQL, which "
                        "must be empty; own: on one that is started for it")
    parser.add_argument("--retain", type=int, default=0, metavar="GAMES",
                        help="also delete what is old of so many games, 500 a second")
    parser.add_argument("--closed-of", type=int, default=12, metavar="N",
                        help="one of those in N was closed, as few are that may go; 1: all")
    return processes.run_on_data(parser.parse_args(), run)


if __name__ == "__main__":
    sys.exit(main())
