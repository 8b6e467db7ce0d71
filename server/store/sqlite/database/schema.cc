#include "server/store/sqlite/database/schema.h"

#include <algorithm>
#include <array>
#include <string>

#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/database/friends_schema.h"
#include "server/store/sqlite/database/moderation_schema.h"
#include "server/store/sqlite/database/page_sums.h"
#include "server/store/sqlite/files/checked_files.h"

namespace tesela::store {
namespace {

constexpr const char* kPlayers = R"sql(
CREATE TABLE players (
  id INTEGER PRIMARY KEY,
  display_name TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  kind INTEGER NOT NULL CHECK (kind IN (0, 1, 2, 3)),
  identity BLOB NOT NULL,
  seen_ms INTEGER NOT NULL,
  erased_ms INTEGER
) STRICT;
CREATE INDEX players_by_created ON players (created_ms, id);
CREATE INDEX players_by_name ON players (display_name, created_ms, id);
CREATE INDEX guests_by_seen ON players (seen_ms, id) WHERE kind = 1;
CREATE INDEX players_erased ON players (erased_ms, id) WHERE erased_ms IS NOT NULL;
)sql";

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
  log_place INTEGER NOT NULL DEFAULT 0 CHECK (log_place BETWEEN 0 AND 3),
  log_end INTEGER NOT NULL DEFAULT 0 CHECK (log_end >= 0),
  CHECK ((state = 2) = (result IS NOT NULL) AND (state IN (2, 4)) = (ended_ms IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX daily_tries ON tables (owner_id, game, daily) WHERE daily IS NOT NULL;
CREATE INDEX tables_listed ON tables (public, state, created_ms, id);
CREATE INDEX tables_by_game ON tables (game, public, state, created_ms, id);
CREATE INDEX tables_by_end ON tables (ended_ms, id) WHERE ended_ms IS NOT NULL;
CREATE INDEX tables_by_owner ON tables (owner_id);

CREATE TABLE seats (
  table_id INTEGER NOT NULL REFERENCES tables (id),
  seat INTEGER NOT NULL CHECK (seat >= 0),
  player_id INTEGER NOT NULL REFERENCES players (id),
  strategy TEXT NOT NULL,
  contribution BLOB NOT NULL,
  contribution_state INTEGER NOT NULL CHECK (contribution_state BETWEEN 0 AND 4),
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

CREATE TABLE last_matches (
  player_id INTEGER PRIMARY KEY REFERENCES players (id),
  table_id INTEGER NOT NULL REFERENCES tables (id)
) STRICT;
CREATE INDEX last_matches_by_table ON last_matches (table_id);

CREATE TABLE removed_tables (
  id INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE retention (
  list TEXT PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO retention VALUES ('tables', 0, 0);
)sql";

// `below` is the negative of the points: in the order of a board all columns then ascend, which a
// comparison of rows can express.
constexpr const char* kBoards = R"sql(
CREATE TABLE ratings (
  game TEXT NOT NULL,
  player_id INTEGER NOT NULL REFERENCES players (id),
  mu REAL NOT NULL,
  sigma REAL NOT NULL,
  games INTEGER NOT NULL CHECK (games >= 1),
  points INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  opponents INTEGER NOT NULL,
  PRIMARY KEY (game, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_by_points ON ratings (game, points DESC, at_ms, player_id);
CREATE INDEX ratings_by_player ON ratings (player_id);

CREATE TABLE meetings (
  game TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  opponent_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  games INTEGER NOT NULL CHECK (games >= 1),
  PRIMARY KEY (game, player_id, opponent_id)
) STRICT, WITHOUT ROWID;

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
CREATE INDEX scores_by_player ON scores (player_id, board_id);
CREATE INDEX scores_by_table ON scores (table_id);

CREATE TABLE rating_counts (
  game TEXT NOT NULL,
  below INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  lines INTEGER NOT NULL CHECK (lines >= 0),
  PRIMARY KEY (game, below, at_ms, player_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE score_counts (
  board_id INTEGER NOT NULL REFERENCES boards (id),
  below INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  lines INTEGER NOT NULL CHECK (lines >= 0),
  PRIMARY KEY (board_id, below, at_ms, player_id)
) STRICT, WITHOUT ROWID;
)sql";

constexpr const char* kLogs = R"sql(
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

CREATE TABLE log_mark (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  number INTEGER NOT NULL
) STRICT;
INSERT INTO log_mark VALUES (1, 0);

CREATE TABLE snapshots (
  table_id INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  position BLOB NOT NULL,
  marks BLOB NOT NULL,
  PRIMARY KEY (table_id, version)
) STRICT, WITHOUT ROWID;
)sql";

constexpr const char* kPackedLogs = R"sql(
CREATE TABLE archives (
  table_id INTEGER PRIMARY KEY,
  format INTEGER NOT NULL CHECK (format >= 1),
  events INTEGER NOT NULL CHECK (events >= 1),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  hash BLOB NOT NULL CHECK (length(hash) = 16),
  data BLOB NOT NULL
) STRICT;
CREATE INDEX tables_to_archive ON tables (ended_ms, id)
  WHERE ended_ms IS NOT NULL AND log_place < 2;

CREATE VIEW log AS
  SELECT table_id, version, record FROM events
  UNION ALL
  SELECT table_id, version, record FROM recent_events AS recent
    WHERE NOT EXISTS (SELECT 1 FROM events AS compacted
      WHERE compacted.table_id = recent.table_id AND compacted.version = recent.version)
    AND NOT EXISTS (SELECT 1 FROM archives
      WHERE archives.table_id = recent.table_id AND archives.events >= recent.version);
)sql";

// Members (kind 4), and how players come back. The check of `kind` is changed in the schema's text,
// as SQLite allows for a check that becomes weaker: the table is not copied.
constexpr const char* kAccounts = R"sql(
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'kind IN (0, 1, 2, 3)', 'kind IN (0, 1, 2, 3, 4)')
  WHERE type = 'table' AND name = 'players';
PRAGMA writable_schema = RESET;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  player_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  created_ms INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  device TEXT NOT NULL,
  proof BLOB
) STRICT;
CREATE INDEX sessions_by_player ON sessions (player_id, ended_ms, seen_ms, id);
CREATE INDEX sessions_by_end ON sessions (ended_ms, id) WHERE ended_ms IS NOT NULL;
CREATE UNIQUE INDEX sessions_by_proof ON sessions (proof) WHERE proof IS NOT NULL;

CREATE TABLE credentials (
  id BLOB PRIMARY KEY,
  player_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  kind INTEGER NOT NULL CHECK (kind IN (1, 2, 3)),
  name TEXT NOT NULL,
  secret BLOB NOT NULL,
  uses INTEGER NOT NULL CHECK (uses >= 0),
  created_ms INTEGER NOT NULL,
  used_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX credentials_by_player ON credentials (player_id, created_ms, id);
)sql";

// Handles, whose mark no other name has from here on; who may see a profile; and ratings by day.
constexpr const char* kProfiles = R"sql(
CREATE TABLE handles (
  key TEXT PRIMARY KEY,
  player_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  handle TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  kept_until_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX handles_by_player ON handles (player_id);

ALTER TABLE players ADD COLUMN audience INTEGER NOT NULL DEFAULT 1 CHECK (audience IN (1, 2, 3));
UPDATE players SET display_name = 'a' || substr(display_name, 2)
  WHERE substr(display_name, 1, 1) IN ('@', char(0xfe6b), char(0xff20));

CREATE TABLE rating_days (
  game TEXT NOT NULL,
  player_id INTEGER NOT NULL REFERENCES players (id),
  day INTEGER NOT NULL,
  points INTEGER NOT NULL,
  PRIMARY KEY (game, player_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX rating_days_by_player ON rating_days (player_id);
)sql";

/// The steps to the versions after the first, in order: what each changes, in SQL. A step is never
/// edited once it was released.
constexpr std::array kSteps{kAccounts, kProfiles, kModeration, kFriends, kVoidGames};

static_assert(kSteps.size() == kSchemaVersion - 1);

void set_version(Connection& connection, std::int64_t version) {
  connection.run("PRAGMA user_version = " + std::to_string(version));
}

/// Those that an operator has made while there were few rows would have SQLite look through all of
/// many.
void forget_statistics(Connection& connection) {
  if (connection.number("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'") == 0) {
    return;
  }
  connection.run("DELETE FROM sqlite_stat1; ANALYZE sqlite_schema;");
}

std::unexpected<Error> before_the_release(const std::filesystem::path& folder) {
  return refuse(ErrorCode::kUnavailable,
                "The data folder " + folder.string() +
                    " was written by a Tesela before the first release: run \"tesela-server "
                    "upgrade --data " +
                    folder.string() + "\" once, which brings it to this version in place.");
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
  const std::int64_t application = connection.number("PRAGMA application_id");
  if (application == kUnreleasedApplicationId) return before_the_release(folder);
  if (application != kApplicationId) {
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
  const bool empty = connection.number("SELECT count(*) FROM sqlite_schema") == 0;
  if (!empty || application != 0) {
    if (auto ours = expect_ours(connection, folder); !ours) return ours;
  }
  tune_writer(connection);
  if (empty) create_schema(connection);
  forget_statistics(connection);
  take_steps(connection, kSteps);
  return {};
}

void create_schema(Connection& connection) {
  connection.run("BEGIN IMMEDIATE");
  for (const char* part : {kPlayers, kTables, kBoards, kLogs}) connection.run(part);
  create_packed_logs(connection);
  become_schema_1(connection);
  connection.run("COMMIT");
}

void create_schema(Connection& connection, std::int64_t version) {
  create_schema(connection);
  const std::int64_t steps = std::clamp(version, std::int64_t{1}, kSchemaVersion) - 1;
  take_steps(connection, std::span(kSteps).first(static_cast<std::size_t>(steps)));
}

void create_packed_logs(Connection& connection) {
  connection.run(kPackedLogs);
}

void become_schema_1(Connection& connection) {
  connection.run("PRAGMA application_id = " + std::to_string(kApplicationId));
  set_version(connection, 1);
}

void take_steps(Connection& connection, std::span<const char* const> steps) {
  std::int64_t version = 1;
  const std::int64_t found = connection.number("PRAGMA user_version");
  for (const char* step : steps) {
    if (++version <= found) continue;
    connection.run("BEGIN IMMEDIATE");
    connection.run(step);
    set_version(connection, version);
    connection.run("COMMIT");
  }
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
