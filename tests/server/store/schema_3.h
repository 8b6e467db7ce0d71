// The schema of version 3, as its release made it.
#pragma once

namespace tesela::store {

inline constexpr const char* kSchema3 = R"sql(
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
  CHECK ((state = 2) = (result IS NOT NULL) AND (state IN (2, 4)) = (ended_ms IS NOT NULL))
) STRICT;
CREATE INDEX tables_by_created ON tables (created_ms, id);
CREATE INDEX tables_by_game ON tables (game, created_ms, id);
CREATE INDEX tables_in_play ON tables (created_ms, id) WHERE state = 1;
CREATE INDEX tables_open ON tables (created_ms, id) WHERE state = 3;
CREATE UNIQUE INDEX daily_tries ON tables (owner_id, game, daily) WHERE daily IS NOT NULL;

CREATE TABLE seats (
  table_id INTEGER NOT NULL REFERENCES tables (id),
  seat INTEGER NOT NULL CHECK (seat >= 0),
  player_id INTEGER NOT NULL REFERENCES players (id),
  strategy TEXT NOT NULL,
  contribution BLOB NOT NULL,
  PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_by_player ON seats (player_id, table_id);
CREATE INDEX seats_of_strategies ON seats (table_id) WHERE strategy <> '';

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

CREATE TABLE players (
  id INTEGER PRIMARY KEY,
  display_name TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;

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
PRAGMA application_id = 0x54455345;
PRAGMA user_version = 3;
)sql";

}  // namespace tesela::store
