#include "server/store/sqlite/schema.h"

#include <string>

namespace tesela::store {
namespace {

constexpr const char* kTables = R"sql(
CREATE TABLE tables (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  config BLOB NOT NULL,
  state INTEGER NOT NULL CHECK (state IN (1, 2, 3)),
  seat_count INTEGER NOT NULL CHECK (seat_count >= 1),
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  created_ms INTEGER NOT NULL,
  result BLOB,
  ended_ms INTEGER,
  CHECK ((state = 2) = (result IS NOT NULL) AND (state = 2) = (ended_ms IS NOT NULL))
) STRICT;
CREATE INDEX tables_by_created ON tables (created_ms, id);
CREATE INDEX tables_by_game ON tables (game, created_ms, id);
CREATE INDEX tables_in_play ON tables (created_ms, id) WHERE state = 1;
CREATE INDEX tables_open ON tables (created_ms, id) WHERE state = 3;
)sql";

constexpr const char* kOtherTables = R"sql(
CREATE TABLE players (
  id INTEGER PRIMARY KEY,
  display_name TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE seats (
  table_id INTEGER NOT NULL REFERENCES tables (id),
  seat INTEGER NOT NULL CHECK (seat >= 0),
  player_id INTEGER NOT NULL REFERENCES players (id),
  PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_by_player ON seats (player_id, table_id);

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
    WHERE NOT EXISTS (SELECT 1 FROM events AS settled
      WHERE settled.table_id = recent.table_id AND settled.version = recent.version);
)sql";

void create_schema(Connection& connection) {
  connection.run("BEGIN IMMEDIATE");
  connection.run(kTables);
  connection.run(kOtherTables);
  connection.run("PRAGMA application_id = " + std::to_string(kApplicationId));
  connection.run("PRAGMA user_version = " + std::to_string(kSchemaVersion));
  connection.run("COMMIT");
}

/// Version 1 had no tables with free seats. SQLite cannot change a CHECK: the table is made anew,
/// as https://sqlite.org/lang_altertable.html (section 7) has it.
void upgrade_from_1(Connection& connection) {
  connection.run("PRAGMA foreign_keys = OFF");
  connection.run("BEGIN IMMEDIATE");
  // Else the references of `seats` would follow the old table to its new name.
  connection.run("PRAGMA legacy_alter_table = ON");
  connection.run("ALTER TABLE tables RENAME TO tables_1");
  connection.run(
      "DROP INDEX tables_by_created; DROP INDEX tables_by_game; DROP INDEX tables_in_play;");
  connection.run(kTables);
  connection.run(
      "INSERT INTO tables"
      "  (id, game, config, state, seat_count, epoch, created_ms, result, ended_ms)"
      "  SELECT id, game, config, state, 1, epoch, created_ms, result, ended_ms FROM tables_1;"
      "DROP TABLE tables_1;");
  connection.run("PRAGMA user_version = 2");
  connection.run("COMMIT");
  connection.run("PRAGMA legacy_alter_table = OFF");
}

}  // namespace

void tune_writer(Connection& connection) {
  // The page size and the write-ahead log take hold when the database is made; later they are
  // no-ops.
  connection.run("PRAGMA page_size = " + std::to_string(kPageBytes) +
                 ";"
                 "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                 "PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF; PRAGMA cache_size = -65536;"
                 "PRAGMA wal_autocheckpoint = 0;");
}

void tune_reader(Connection& connection) {
  connection.run("PRAGMA query_only = ON; PRAGMA cache_size = -8192;");
}

Expected<void> prepare_schema(Connection& connection, const std::filesystem::path& folder) {
  const std::int64_t application = connection.number("PRAGMA application_id");
  const std::int64_t version = connection.number("PRAGMA user_version");
  const bool empty = connection.number("SELECT count(*) FROM sqlite_schema") == 0;
  if (!(empty && application == 0 && version == 0)) {
    if (application != kApplicationId) {
      return refuse(
          ErrorCode::kCorrupt,
          "The file " + (folder / "tesela.db").string() +
              " belongs to another program: give Tesela a folder of its own with --data.");
    }
    if (version > kSchemaVersion) {
      return refuse(ErrorCode::kUnavailable,
                    "The data folder " + folder.string() +
                        " was written by a newer Tesela (schema " + std::to_string(version) +
                        "; this one knows " + std::to_string(kSchemaVersion) +
                        "): start that version, or give this one another folder with --data.");
    }
  }
  if (!empty && version == 1) upgrade_from_1(connection);
  tune_writer(connection);
  if (empty) create_schema(connection);
  return {};
}

void settle_leftovers(Connection& connection) {
  connection.run(
      "BEGIN IMMEDIATE;"
      "INSERT INTO events SELECT table_id, version, record FROM recent_events"
      "  WHERE true ORDER BY table_id, version ON CONFLICT DO NOTHING;"
      "DELETE FROM recent_events;"
      "COMMIT;");
}

}  // namespace tesela::store
