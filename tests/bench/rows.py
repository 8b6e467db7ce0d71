"""Rows that benchmarks write into the database of a server that does not run."""

import pathlib
import sqlite3

OVER, CLOSED = 2, 4  # lobby.v1.TableState


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
