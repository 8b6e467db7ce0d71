#include <cstdint>
#include <initializer_list>
#include <string>

#include "server/store/sqlite/database/board_counts.h"
#include "server/store/sqlite/database/schema.h"

namespace tesela::store {
namespace {

/// Version 5: positions beside the logs.
void add_snapshots(Connection& connection) {
  connection.run(
      "CREATE TABLE snapshots ("
      "  table_id INTEGER NOT NULL,"
      "  version INTEGER NOT NULL CHECK (version >= 1),"
      "  position BLOB NOT NULL,"
      "  marks BLOB NOT NULL,"
      "  PRIMARY KEY (table_id, version)"
      ") STRICT, WITHOUT ROWID;");
}

constexpr const char* kDataThatEnds = R"sql(
ALTER TABLE players ADD COLUMN seen_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN erased_ms INTEGER;
CREATE INDEX guests_by_seen ON players (seen_ms, id) WHERE kind = 1;
CREATE INDEX players_erased ON players (erased_ms, id) WHERE erased_ms IS NOT NULL;
CREATE INDEX tables_by_end ON tables (ended_ms, id) WHERE ended_ms IS NOT NULL;
CREATE INDEX tables_by_owner ON tables (owner_id);
CREATE INDEX ratings_by_player ON ratings (player_id);
CREATE INDEX scores_by_player ON scores (player_id, board_id);
CREATE INDEX scores_by_table ON scores (table_id);
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

/// Version 6: what deleting looks up, and the counts of the boards.
void add_data_that_ends(Connection& connection) {
  connection.run(kDataThatEnds);
  create_board_counts(connection);
}

/// Version 7: packed logs of games that are over.
void add_archives(Connection& connection) {
  connection.run(
      "CREATE TABLE archives ("
      "  table_id INTEGER PRIMARY KEY,"
      "  format INTEGER NOT NULL CHECK (format BETWEEN 1 AND 3),"
      "  events INTEGER NOT NULL CHECK (events >= 1),"
      "  bytes INTEGER NOT NULL CHECK (bytes >= 0),"
      "  hash BLOB NOT NULL CHECK (length(hash) = 16),"
      "  data BLOB NOT NULL"
      ") STRICT;"
      "ALTER TABLE tables ADD COLUMN log_place INTEGER NOT NULL DEFAULT 0"
      "  CHECK (log_place BETWEEN 0 AND 3);"
      "CREATE INDEX tables_to_archive ON tables (ended_ms, id)"
      "  WHERE ended_ms IS NOT NULL AND log_place < 2;"
      "DROP VIEW log;"
      "CREATE VIEW log AS"
      "  SELECT table_id, version, record FROM events"
      "  UNION ALL"
      "  SELECT table_id, version, record FROM recent_events AS recent"
      "    WHERE NOT EXISTS (SELECT 1 FROM events AS compacted"
      "      WHERE compacted.table_id = recent.table_id AND compacted.version = recent.version)"
      "    AND NOT EXISTS (SELECT 1 FROM archives"
      "      WHERE archives.table_id = recent.table_id AND archives.events >= recent.version);");
}

/// Version 8: the mark of the log.
void add_log_mark(Connection& connection) {
  connection.run(
      "CREATE TABLE log_mark ("
      "  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),"
      "  number INTEGER NOT NULL"
      ") STRICT;"
      "INSERT INTO log_mark VALUES (1, 0);");
}

/// Version 9: how many opponents the rated players have. Those who were rated before stay on the
/// board, because nobody counted theirs.
void add_meetings(Connection& connection) {
  connection.run(
      "ALTER TABLE ratings ADD COLUMN opponents INTEGER NOT NULL DEFAULT 5;"
      "CREATE TABLE meetings ("
      "  game TEXT NOT NULL,"
      "  player_id INTEGER NOT NULL,"
      "  opponent_id INTEGER NOT NULL,"
      "  day INTEGER NOT NULL,"
      "  games INTEGER NOT NULL CHECK (games >= 1),"
      "  PRIMARY KEY (game, player_id, opponent_id)"
      ") STRICT, WITHOUT ROWID;");
}

/// Version 10: how long the log of an ended table is.
void add_log_end(Connection& connection) {
  connection.run(
      "ALTER TABLE tables ADD COLUMN log_end INTEGER NOT NULL DEFAULT 0 CHECK (log_end >= 0);"
      "UPDATE tables SET log_end = max("
      "  ifnull((SELECT max(version) FROM events WHERE table_id = id), 0),"
      "  ifnull((SELECT events FROM archives WHERE table_id = id), 0)) WHERE ended_ms IS NOT NULL;"
      "UPDATE tables SET log_end = max(log_end, recent.last)"
      "  FROM (SELECT table_id, max(version) AS last FROM recent_events GROUP BY table_id)"
      "  AS recent"
      "  WHERE id = recent.table_id AND ended_ms IS NOT NULL;");
}

/// Brings a database of the version before to `version`, in one transaction. Never edited once it
/// was released: a later step changes what an earlier one has created.
struct Step {
  std::int64_t version;
  void (*run)(Connection&);
};

/// The steps after version 4, in order. A new database takes them too.
constexpr std::initializer_list<Step> kSteps{{5, add_snapshots}, {6, add_data_that_ends},
                                             {7, add_archives},  {8, add_log_mark},
                                             {9, add_meetings},  {10, add_log_end}};

static_assert(kSteps.size() == kSchemaVersion - 4);

}  // namespace

void take_steps(Connection& connection, std::int64_t from, std::int64_t to) {
  for (const Step& step : kSteps) {
    if (step.version <= from || step.version > to) continue;
    connection.run("BEGIN IMMEDIATE");
    step.run(connection);
    connection.run("PRAGMA user_version = " + std::to_string(step.version));
    connection.run("COMMIT");
  }
}

}  // namespace tesela::store
