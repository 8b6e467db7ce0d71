// The part of the schema for reports of players and acts of operators (FORMAT.md).
#pragma once

namespace tesela::store {

inline constexpr const char* kModeration = R"sql(
CREATE TABLE reports (
  id INTEGER PRIMARY KEY,
  reporter_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  player_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  table_id INTEGER NOT NULL,
  kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4),
  text TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  assignee TEXT NOT NULL,
  closed_ms INTEGER,
  outcome TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX reports_once ON reports (reporter_id, player_id) WHERE closed_ms IS NULL;
CREATE INDEX reports_open ON reports (created_ms, id) WHERE closed_ms IS NULL;
CREATE INDEX reports_by_created ON reports (created_ms, id);
CREATE INDEX reports_by_player ON reports (player_id, created_ms, id);
CREATE INDEX reports_by_reporter ON reports (reporter_id, created_ms, id);
CREATE INDEX reports_by_end ON reports (closed_ms, id) WHERE closed_ms IS NOT NULL;

CREATE TABLE report_lines (
  report_id INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  player_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  at_ms INTEGER NOT NULL,
  text TEXT NOT NULL,
  phrase INTEGER NOT NULL,
  PRIMARY KEY (report_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX report_lines_by_player ON report_lines (player_id, report_id, place);

CREATE TABLE acts (
  id INTEGER PRIMARY KEY,
  player_id INTEGER REFERENCES players (id) ON DELETE CASCADE,
  kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 9),
  operator_name TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  until_ms INTEGER,
  state_before TEXT NOT NULL,
  state_after TEXT NOT NULL,
  undoes INTEGER,
  seen_ms INTEGER,
  answer TEXT NOT NULL,
  answered_ms INTEGER,
  CHECK ((kind = 6) = (undoes IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX acts_by_undone ON acts (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX acts_by_player ON acts (player_id, created_ms, id);
CREATE INDEX acts_by_created ON acts (created_ms, id);
CREATE INDEX acts_by_end ON acts (until_ms, id) WHERE until_ms IS NOT NULL;
)sql";

// Acts that end sessions or a game's effect (kinds 10 and 11), and what a game changed on ratings.
// Checks are changed in the schema's text, as for the kinds of players.
inline constexpr const char* kVoidGames = R"sql(
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'kind BETWEEN 1 AND 9', 'kind BETWEEN 1 AND 11')
  WHERE type = 'table' AND name = 'acts';
UPDATE sqlite_schema SET sql = replace(sql, 'games >= 1', 'games >= 0')
  WHERE type = 'table' AND name = 'ratings';
PRAGMA writable_schema = RESET;

ALTER TABLE acts ADD COLUMN table_id INTEGER;
CREATE TABLE rated_games (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  player_id INTEGER NOT NULL,
  mu REAL NOT NULL,
  sigma REAL NOT NULL,
  PRIMARY KEY (table_id, player_id)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace tesela::store
