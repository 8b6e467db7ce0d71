#include "server/store/sqlite/database/schema.h"

#include <algorithm>
#include <string>

#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/database/page_sums.h"
#include "server/store/sqlite/files/checked_files.h"

namespace tesela::store {
namespace {

constexpr const char* kTables = R"sql(
CREATE TABLE tables (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  config BLOB NOT NULL,
  options BLOB NOT NULL,
  owner_id INTEGER NOT NULL REFERENCES players (id),
  invite TEXT NOT NULL,
  seed BLOB NOT NULL,
  state INTEGER NOT NULL CHECK (state IN (1, 2, 3, 4)),
  assisted INTEGER NOT NULL CHECK (assisted IN (0, 1)),
  seat_count INTEGER NOT NULL CHECK (seat_count >= 1),
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  created_ms INTEGER NOT NULL,
  result BLOB,
  ended_ms INTEGER,
  daily INTEGER,
  public INTEGER NOT NULL CHECK (public IN (0, 1)),
  CHECK ((state = 2) = (result IS NOT NULL) AND (state IN (2, 4)) = (ended_ms IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX daily_tries ON tables (owner_id, game, daily) WHERE daily IS NOT NULL;
)sql";

constexpr const char* kTableLists = R"sql(
CREATE INDEX tables_listed ON tables (public, state, created_ms, id);
CREATE INDEX tables_by_game ON tables (game, public, state, created_ms, id);
)sql";

constexpr const char* kSeats = R"sql(
CREATE TABLE seats (
  table_id INTEGER NOT NULL REFERENCES tables (id),
  seat INTEGER NOT NULL CHECK (seat >= 0),
  player_id INTEGER NOT NULL REFERENCES players (id),
  strategy TEXT NOT NULL,
  contribution BLOB NOT NULL,
  contribution_state INTEGER NOT NULL DEFAULT 0 CHECK (contribution_state BETWEEN 0 AND 4),
  game TEXT NOT NULL,
  public INTEGER NOT NULL,
  state INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_by_player ON seats (player_id, public, state, created_ms, table_id);
CREATE INDEX seats_by_player_and_game
  ON seats (player_id, game, public, state, created_ms, table_id);
CREATE INDEX seats_of_strategies ON seats (public, state, created_ms, table_id)
  WHERE strategy <> '';
)sql";

constexpr const char* kPlayers = R"sql(
CREATE TABLE players (
  id INTEGER PRIMARY KEY,
  display_name TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  kind INTEGER NOT NULL DEFAULT 0 CHECK (kind IN (0, 1, 2, 3)),
  identity BLOB NOT NULL DEFAULT x''
) STRICT;
)sql";

constexpr const char* kPlayerLists = R"sql(
CREATE INDEX players_by_created ON players (created_ms, id);
CREATE INDEX players_by_name ON players (display_name, created_ms, id);
)sql";

constexpr const char* kBoards = R"sql(
CREATE TABLE ratings (
  game TEXT NOT NULL,
  player_id INTEGER NOT NULL REFERENCES players (id),
  mu REAL NOT NULL,
  sigma REAL NOT NULL,
  games INTEGER NOT NULL CHECK (games >= 1),
  points INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (game, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_by_points ON ratings (game, points DESC, at_ms, player_id);

CREATE TABLE boards (
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL CHECK (kind IN (2, 3, 4)),
  game TEXT NOT NULL,
  config BLOB NOT NULL,
  day INTEGER NOT NULL,
  CHECK ((kind = 2) = (day = 0)),
  UNIQUE (game, config, day, kind)
) STRICT;

CREATE TABLE scores (
  board_id INTEGER NOT NULL REFERENCES boards (id),
  player_id INTEGER NOT NULL REFERENCES players (id),
  points INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  table_id INTEGER NOT NULL REFERENCES tables (id),
  PRIMARY KEY (board_id, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX scores_by_points ON scores (board_id, points DESC, at_ms, player_id);
)sql";

constexpr const char* kOtherTables = R"sql(
CREATE TABLE events (
  table_id INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  record BLOB NOT NULL,
  PRIMARY KEY (table_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE recent_events (
  seq INTEGER PRIMARY KEY,
  table_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  record BLOB NOT NULL
) STRICT;

CREATE VIEW log AS
  SELECT table_id, version, record FROM events
  UNION ALL
  SELECT table_id, version, record FROM recent_events AS recent
    WHERE NOT EXISTS (SELECT 1 FROM events AS compacted
      WHERE compacted.table_id = recent.table_id AND compacted.version = recent.version);
)sql";

constexpr const char* kTickets = R"sql(
CREATE TABLE tickets (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  config BLOB NOT NULL,
  seat_count INTEGER NOT NULL CHECK (seat_count >= 2),
  mode INTEGER NOT NULL CHECK (mode IN (0, 1)),
  since_ms INTEGER NOT NULL,
  bots_after_ms INTEGER,
  bot_level INTEGER,
  CHECK ((bots_after_ms IS NULL) = (bot_level IS NULL))
) STRICT;

CREATE TABLE ticket_members (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  place INTEGER NOT NULL CHECK (place >= 0),
  player_id INTEGER NOT NULL UNIQUE REFERENCES players (id),
  mu REAL NOT NULL,
  PRIMARY KEY (ticket_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE last_matches (
  player_id INTEGER PRIMARY KEY REFERENCES players (id),
  table_id INTEGER NOT NULL REFERENCES tables (id)
) STRICT;
)sql";

/// The schema of version 4. Later versions are made of it by `kSteps`.
void create_schema_4(Connection& connection) {
  connection.run("BEGIN IMMEDIATE");
  connection.run(kPlayers);
  connection.run(kPlayerLists);
  connection.run(kTables);
  connection.run(kTableLists);
  connection.run(kSeats);
  connection.run(kBoards);
  connection.run(kOtherTables);
  connection.run(kTickets);
  connection.run("PRAGMA application_id = " + std::to_string(kApplicationId));
  connection.run("PRAGMA user_version = 4");
  connection.run("COMMIT");
}

/// The columns and lists of players that version 4 added.
void tell_players_apart(Connection& connection) {
  connection.run(
      "ALTER TABLE players ADD COLUMN kind INTEGER NOT NULL DEFAULT 0"
      "  CHECK (kind IN (0, 1, 2, 3));"
      "ALTER TABLE players ADD COLUMN identity BLOB NOT NULL DEFAULT x'';");
  connection.run(kPlayerLists);
}

/// Version 1 had no tables with free seats; version 2 began games before the last seat was taken,
/// and had neither options nor bots. SQLite cannot change a CHECK: the tables are made anew, as
/// https://sqlite.org/lang_altertable.html (section 7) has it.
void upgrade_from_1_or_2(Connection& connection, std::int64_t from) {
  connection.run(
      "ALTER TABLE tables RENAME TO old_tables; ALTER TABLE seats RENAME TO old_seats;"
      "DROP INDEX tables_by_created; DROP INDEX tables_by_game; DROP INDEX tables_in_play;"
      "DROP INDEX IF EXISTS tables_open; DROP INDEX seats_by_player;");
  connection.run(kTables);
  connection.run(kTableLists);
  connection.run(kSeats);
  connection.run(kBoards);
  connection.run(std::string("INSERT INTO tables"
                             "  SELECT id, game, config, x'', player_id, '', x'', state, 0, ") +
                 (from == 1 ? "1" : "seat_count") +
                 ", epoch, created_ms, result, ended_ms, NULL, 1"
                 "  FROM old_tables JOIN old_seats ON table_id = id AND seat = 0;"
                 "INSERT INTO seats SELECT table_id, seat, player_id, '', x'', 0, game, 1, state,"
                 "  created_ms FROM old_seats JOIN tables ON id = table_id;"
                 "DELETE FROM events WHERE table_id IN (SELECT id FROM tables WHERE state = 3);"
                 "DELETE FROM recent_events"
                 "  WHERE table_id IN (SELECT id FROM tables WHERE state = 3);"
                 "DROP TABLE old_seats; DROP TABLE old_tables;");
  connection.run(kTickets);
  tell_players_apart(connection);
}

/// Version 3 did not distinguish bots from people, had contributions only in the call that took the
/// seat, and its lists scanned all tables.
void upgrade_from_3(Connection& connection) {
  tell_players_apart(connection);
  connection.run(
      "ALTER TABLE tables ADD COLUMN public INTEGER NOT NULL DEFAULT 1"
      "  CHECK (public IN (0, 1));"
      "UPDATE tables SET public = 0 WHERE invite <> '';"
      "DROP INDEX tables_by_created; DROP INDEX tables_by_game; DROP INDEX tables_in_play;"
      "DROP INDEX tables_open;"
      "ALTER TABLE seats RENAME TO old_seats;");
  move_bots_to_their_accounts(connection);
  connection.run("DROP INDEX seats_by_player; DROP INDEX seats_of_strategies;");
  connection.run(kTableLists);
  connection.run(kSeats);
  connection.run(
      "INSERT INTO seats SELECT table_id, seat, player_id, strategy, contribution,"
      "  iif(length(contribution) > 0, 3, 0), game, public, state, created_ms"
      "  FROM old_seats JOIN tables ON id = table_id;"
      "DROP TABLE old_seats;");
}

/// Upgrades a database of versions 1 to 3 to version 4, in one transaction.
void upgrade_to_4(Connection& connection, std::int64_t from) {
  connection.run("PRAGMA foreign_keys = OFF");
  connection.run("BEGIN IMMEDIATE");
  // Otherwise references would follow the renamed tables.
  connection.run("PRAGMA legacy_alter_table = ON");
  if (from < 3) {
    upgrade_from_1_or_2(connection, from);
  } else {
    upgrade_from_3(connection);
  }
  connection.run("PRAGMA user_version = 4");
  connection.run("COMMIT");
  connection.run("PRAGMA legacy_alter_table = OFF");
}

}  // namespace

// Temporary data stays in memory: the server may have no other folder to write to.
void tune_writer(Connection& connection) {
  // The page size, the vacuum, the sums and the journal mode take effect in a new database; later
  // they do nothing.
  connection.run("PRAGMA page_size = " + std::to_string(kPageBytes));
  keep_page_sums(connection);
  // From here on the database has a first page.
  connection.run(
      "PRAGMA auto_vacuum = INCREMENTAL;"
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
      "PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF; PRAGMA cache_size = -32768;"
      "PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY;");
}

void tune_reader(Connection& connection) {
  connection.run("PRAGMA query_only = ON; PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY;");
}

Expected<void> expect_ours(Connection& connection, const std::filesystem::path& folder) {
  if (connection.number("PRAGMA application_id") != kApplicationId) {
    return refuse(ErrorCode::kCorrupt,
                  "The file " + (folder / kDatabaseFile).string() +
                      " belongs to another program: give Tesela a folder of its own with --data.");
  }
  const std::int64_t version = connection.number("PRAGMA user_version");
  if (version <= kSchemaVersion) return {};
  return refuse(ErrorCode::kUnavailable,
                "The data folder " + folder.string() + " was written by a newer Tesela (schema " +
                    std::to_string(version) + "; this one knows " + std::to_string(kSchemaVersion) +
                    "): start that version, or give this one another folder with --data.");
}

Expected<void> prepare_schema(Connection& connection, const std::filesystem::path& folder) {
  const std::int64_t application = connection.number("PRAGMA application_id");
  const std::int64_t version = connection.number("PRAGMA user_version");
  const bool empty = connection.number("SELECT count(*) FROM sqlite_schema") == 0;
  if (!(empty && application == 0 && version == 0)) {
    if (auto ours = expect_ours(connection, folder); !ours) return ours;
  }
  if (!empty && version < 4) upgrade_to_4(connection, version);
  tune_writer(connection);
  if (empty) {
    create_schema(connection, kSchemaVersion);
  } else {
    take_steps(connection, std::max<std::int64_t>(version, 4), kSchemaVersion);
  }
  return {};
}

void create_schema(Connection& connection, std::int64_t version) {
  create_schema_4(connection);
  take_steps(connection, 4, version);
}

void compact_leftovers(Connection& connection) {
  connection.run(
      "BEGIN IMMEDIATE;"
      // Events of a table that was deleted after they were compacted may not have been dropped, nor
      // those of a log that was packed after that.
      "INSERT INTO events SELECT table_id, version, record FROM recent_events AS recent"
      "  WHERE table_id IN (SELECT id FROM tables)"
      "    AND NOT EXISTS (SELECT 1 FROM archives"
      "      WHERE archives.table_id = recent.table_id AND archives.events >= recent.version)"
      "  ORDER BY table_id, version ON CONFLICT DO NOTHING;"
      "DELETE FROM recent_events;"
      "COMMIT;");
}

}  // namespace tesela::store
