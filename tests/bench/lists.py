#!/usr/bin/env python3
"""What lists cost when a server has many tables: anonymous calls, one at a time.
`--help` lists the options.
"""

import argparse
import pathlib
import random
import sqlite3
import statistics
import sys
import time

import lobby
import processes
from lobby import LEADERBOARD
from processes import free_port

GAMES = ("azul", "2048", "2248", "samegame")
IN_PLAY, OVER, OPEN, CLOSED = 1, 2, 3, 4
GUESTS = 5000
FIRST_GUEST = 1_000_000


def insert(database: sqlite3.Connection, table: str, rows) -> None:
    """Rows are columns by name; those that this schema does not have are left out."""
    rows = list(rows)
    known = {column[1] for column in database.execute(f"PRAGMA table_info({table})")}
    names = [name for name in rows[0] if name in known]
    slots = ", ".join("?" * len(names))
    database.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({slots})",
                         ([row[name] for name in names] for row in rows))


def fill(file: pathlib.Path, tables: int) -> int:
    """Adds tables at which a bot and guests have played, and the guests' best scores on the board
    of 2048. Gives the bot's id. No table waits for its bot to move: none is loaded at the start."""
    chance = random.Random(7)
    database = open_to_fill(file)
    strategy, bot = database.execute(
        "SELECT display_name, id FROM players WHERE display_name = 'greedy' LIMIT 1").fetchone()
    insert(database, "players", ({"id": FIRST_GUEST + n, "display_name": f"Guest {n}",
                                  "created_ms": n, "kind": 1, "identity": b"", "seen_ms": 0}
                                 for n in range(max(GUESTS, tables))))
    config = config_of_2048(database)
    states = [OVER] * 90 + [IN_PLAY] * 5 + [OPEN] * 4 + [CLOSED] * 1
    made = []
    for n in range(tables):
        state = chance.choice(states)
        made.append({"id": n + 1, "game": chance.choice(GAMES), "config": config, "options": b"",
                     "owner_id": FIRST_GUEST, "invite": "", "seed": b"", "state": state,
                     "assisted": 0, "seat_count": 2, "epoch": 1,
                     "created_ms": 1_700_000_000_000 + 37 * n,
                     "result": b"" if state == OVER else None,
                     "ended_ms": 1 if state in (OVER, CLOSED) else None, "public": 1})
    insert(database, "tables", made)
    seats = []
    for row in made:
        guest = FIRST_GUEST + chance.randrange(GUESTS)
        for seat, player, plays in ((0, bot, strategy), (1, guest, "")):
            if row["state"] == OPEN and seat == 1:
                continue
            seats.append({"table_id": row["id"], "seat": seat, "player_id": player,
                          "strategy": plays if row["state"] in (OVER, CLOSED) else "",
                          "contribution": b"", "contribution_state": 0,
                          "game": row["game"], "public": 1, "state": row["state"],
                          "created_ms": row["created_ms"]})
    insert(database, "seats", seats)
    board = database.execute("INSERT INTO boards (kind, game, config, day) VALUES (2, '2048', ?, 0)"
                             " RETURNING id", (config,)).fetchone()[0]
    insert(database, "scores", ({"board_id": board, "player_id": FIRST_GUEST + n,
                                 "points": 4 * chance.randrange(5000), "at_ms": n, "table_id": 1}
                                for n in range(tables)))
    count_lines(database)
    database.commit()
    database.close()
    return bot


def open_to_fill(file: pathlib.Path) -> sqlite3.Connection:
    """A database that no server uses, first written anew without sums of its pages, which SQLite's
    own programs cannot write. The server writes them when it opens it."""
    old = sqlite3.connect(file)
    made = "".join(f"PRAGMA {name} = {old.execute(f'PRAGMA {name}').fetchone()[0]};"
                   for name in ("auto_vacuum", "application_id", "user_version", "journal_mode"))
    rows = "".join(old.iterdump())
    old.close()
    file.unlink()
    database = sqlite3.connect(file)
    database.executescript(made + rows)
    return database


def count_lines(database: sqlite3.Connection) -> None:
    """Counts the lines of the boards as server/store/sqlite/database/board_counts.cc does, where
    the schema has counts: the statements above did not keep them."""
    if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'score_counts'").fetchone():
        return
    for counts, lines, board in (("score_counts", "scores", "board_id"),
                                 ("rating_counts", "ratings", "game")):
        database.execute(f"DELETE FROM {counts}")
        database.execute(f"""
            INSERT INTO {counts} SELECT {board}, iif(nth = 1, -9223372036854775807, -points),
              iif(nth = 1, 0, at_ms), iif(nth = 1, 0, player_id), min(512, total - nth + 1)
            FROM (SELECT {board}, points, at_ms, player_id, row_number() OVER (PARTITION BY {board}
                    ORDER BY points DESC, at_ms, player_id) AS nth,
                  count(*) OVER (PARTITION BY {board}) AS total FROM {lines})
            WHERE nth % 512 = 1""")


def config_of_2048(database: sqlite3.Connection) -> bytes:
    """The game's default configuration, as the server has written it for a table."""
    return database.execute("SELECT config FROM tables WHERE game = '2048' LIMIT 1").fetchone()[0]


def text_of(player: int) -> str:
    """An id as clients see it (server/base/text_encoding.h)."""
    alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
    return "".join(alphabet[player >> shift & 31] for shift in range(60, -1, -5))


def time_of(call, times: int) -> float:
    """The median, in milliseconds."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        taken.append((time.perf_counter() - begin) * 1000)
    return statistics.median(taken)


def walk(port: int, pages: int) -> str:
    """The token of a page of the board that stands far down."""
    token = ""
    for _ in range(pages):
        answer = lobby.call(port, "GetBoard", {"board": {"game": "2048"}, "pageSize": 100,
                                               "pageToken": token}, service=LEADERBOARD)
        token = answer["nextPageToken"]
    return token


def measure(arguments: argparse.Namespace, data: str) -> None:
    port = free_port()
    command = [str(arguments.build / "bin" / "tesela-server"), "--data", data,
               "--http-port", str(port), "--grpc-port", str(free_port()), "--log-level", "error"]

    def up() -> bool:
        return processes.is_ready(port)

    with processes.running(command, up):
        lobby.call(port, "CreateTable", {"game": "2048"}, lobby.sign_in(port))
    bot = text_of(fill(pathlib.Path(data) / "tesela.db", arguments.tables))
    with processes.running(command, up):
        filters = {"no filter": {}, "game": {"game": "azul"},
                   "closed": {"state": "TABLE_STATE_CLOSED"},
                   "in play": {"state": "TABLE_STATE_IN_PLAY"}, "a bot": {"playerId": bot},
                   "a bot, closed": {"playerId": bot, "state": "TABLE_STATE_CLOSED"},
                   "a bot, game, open": {"playerId": bot, "game": "azul",
                                         "state": "TABLE_STATE_OPEN"},
                   "nobody": {"playerId": text_of(42)}}
        for name, wanted in filters.items():
            request = {"filter": wanted, "pageSize": 100}
            taken = time_of(lambda: lobby.call(port, "ListTables", request), arguments.times)
            print(f"ListTables {name:20} {taken:8.1f} ms")
        first = {"board": {"game": "2048"}, "pageSize": 100}
        far = {**first, "pageToken": walk(port, arguments.pages)}
        for name, request in (("first page", first), (f"page {arguments.pages + 1}", far)):
            taken = time_of(lambda: lobby.call(port, "GetBoard", request, service=LEADERBOARD),
                            arguments.times)
            print(f"GetBoard   {name:20} {taken:8.1f} ms")


def main() -> int:
    parser = processes.options_of(__doc__)
    parser.add_argument("--tables", type=int, default=300_000)
    parser.add_argument("--times", type=int, default=9, help="calls of each kind")
    parser.add_argument("--pages", type=int, default=200, help="how far down the board")
    return processes.run_on_data(parser.parse_args(), measure)


if __name__ == "__main__":
    sys.exit(main())
