// The part of the schema for reports of players and acts of operators (FORMAT.md).
#pragma once

#include <array>

namespace tesela::store::postgres {

// What players report of each other, and what operators do about it. A server of an earlier version
// would let everybody play, and leave what an erased player has said.
inline constexpr std::array kModeration{
    "CREATE TABLE reports ("
    "  id bigint PRIMARY KEY,"
    "  reporter_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  player_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  table_id bigint NOT NULL,"
    "  kind bigint NOT NULL CHECK (kind BETWEEN 1 AND 4),"
    "  text text COLLATE \"C\" NOT NULL,"
    "  created_ms bigint NOT NULL,"
    "  assignee text COLLATE \"C\" NOT NULL,"
    "  closed_ms bigint,"
    "  outcome text COLLATE \"C\" NOT NULL)",
    "CREATE UNIQUE INDEX reports_once ON reports (reporter_id, player_id) WHERE closed_ms IS NULL",
    "CREATE INDEX reports_open ON reports (created_ms, id) WHERE closed_ms IS NULL",
    "CREATE INDEX reports_by_created ON reports (created_ms, id)",
    "CREATE INDEX reports_by_player ON reports (player_id, created_ms, id)",
    "CREATE INDEX reports_by_reporter ON reports (reporter_id, created_ms, id)",
    "CREATE INDEX reports_by_end ON reports (closed_ms, id) WHERE closed_ms IS NOT NULL",
    "CREATE TABLE report_lines ("
    "  report_id bigint NOT NULL REFERENCES reports (id) ON DELETE CASCADE,"
    "  place bigint NOT NULL,"
    "  player_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  at_ms bigint NOT NULL,"
    "  text text COLLATE \"C\" NOT NULL,"
    "  phrase bigint NOT NULL,"
    "  PRIMARY KEY (report_id, place))",
    "CREATE INDEX report_lines_by_player ON report_lines (player_id, report_id, place)",
    "CREATE TABLE acts ("
    "  id bigint PRIMARY KEY,"
    "  player_id bigint REFERENCES players (id) ON DELETE CASCADE,"
    "  kind bigint NOT NULL CHECK (kind BETWEEN 1 AND 9),"
    "  operator_name text COLLATE \"C\" NOT NULL,"
    "  reason text COLLATE \"C\" NOT NULL,"
    "  created_ms bigint NOT NULL,"
    "  until_ms bigint,"
    "  state_before text COLLATE \"C\" NOT NULL,"
    "  state_after text COLLATE \"C\" NOT NULL,"
    "  undoes bigint,"
    "  seen_ms bigint,"
    "  answer text COLLATE \"C\" NOT NULL,"
    "  answered_ms bigint,"
    "  CHECK ((kind = 6) = (undoes IS NOT NULL)))",
    "CREATE UNIQUE INDEX acts_by_undone ON acts (undoes) WHERE undoes IS NOT NULL",
    "CREATE INDEX acts_by_player ON acts (player_id, created_ms, id)",
    "CREATE INDEX acts_by_created ON acts (created_ms, id)",
    "CREATE INDEX acts_by_end ON acts (until_ms, id) WHERE until_ms IS NOT NULL",
};

// Acts that end sessions or a game's effect (kinds 10 and 11), and what a game changed on ratings.
// A server of the version before would not read these acts.
inline constexpr std::array kVoidGames{
    "ALTER TABLE acts DROP CONSTRAINT acts_kind_check,"
    "  ADD CONSTRAINT acts_kind_check CHECK (kind BETWEEN 1 AND 11) NOT VALID,"
    "  ADD COLUMN table_id bigint",
    "ALTER TABLE ratings DROP CONSTRAINT ratings_games_check,"
    "  ADD CONSTRAINT ratings_games_check CHECK (games >= 0) NOT VALID",
    "CREATE TABLE rated_games ("
    "  table_id bigint NOT NULL REFERENCES tables (id) ON DELETE CASCADE,"
    "  player_id bigint NOT NULL,"
    "  mu double precision NOT NULL,"
    "  sigma double precision NOT NULL,"
    "  PRIMARY KEY (table_id, player_id))",
};

}  // namespace tesela::store::postgres
