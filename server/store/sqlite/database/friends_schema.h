// The part of the schema for whom players follow and block, for challenges, for whose a remote bot
// is, and for guests who were merged into accounts (FORMAT.md).
#pragma once

namespace tesela::store {

inline constexpr const char* kFriends = R"sql(
ALTER TABLE players ADD COLUMN challengers INTEGER NOT NULL DEFAULT 1
  CHECK (challengers IN (1, 2, 3));
ALTER TABLE players ADD COLUMN here_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN owner_id INTEGER;
ALTER TABLE players ADD COLUMN merged_into INTEGER;
CREATE INDEX players_merged ON players (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE follows (
  player_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  followed_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  made_ms INTEGER NOT NULL,
  PRIMARY KEY (player_id, followed_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX follows_by_followed ON follows (followed_id);

CREATE TABLE blocks (
  player_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  blocked_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  made_ms INTEGER NOT NULL,
  PRIMARY KEY (player_id, blocked_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_by_blocked ON blocks (blocked_id);

CREATE TABLE challenges (
  id TEXT PRIMARY KEY,
  from_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  to_id INTEGER REFERENCES players (id) ON DELETE CASCADE,
  game TEXT NOT NULL,
  config BLOB NOT NULL,
  options BLOB NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  state INTEGER NOT NULL CHECK (state IN (1, 2, 3)),
  table_id INTEGER,
  CHECK ((state = 2) = (table_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX challenges_once ON challenges (from_id, to_id, game)
  WHERE state = 1 AND to_id IS NOT NULL;
CREATE INDEX challenges_from ON challenges (from_id, created_ms, id);
CREATE INDEX challenges_to ON challenges (to_id, state, created_ms, id) WHERE to_id IS NOT NULL;
CREATE INDEX challenges_by_end ON challenges (expires_ms, id);
)sql";

}  // namespace tesela::store
