// The part of the schema for whom players follow and block, for challenges, for whose a remote bot
// is, for guests who were merged into accounts, and for what players are told while they are away
// (FORMAT.md).
#pragma once

namespace tesela::store {

inline constexpr const char* kFriends = R"sql(
ALTER TABLE players ADD COLUMN challengers INTEGER NOT NULL DEFAULT 1
  CHECK (challengers IN (1, 2, 3));
ALTER TABLE players ADD COLUMN here_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN owner_id INTEGER;
ALTER TABLE players ADD COLUMN merged_into INTEGER;
ALTER TABLE players ADD COLUMN told INTEGER NOT NULL DEFAULT 15 CHECK (told BETWEEN 0 AND 15);
ALTER TABLE players ADD COLUMN quiet_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN quiet_to INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN quiet_zone TEXT NOT NULL DEFAULT '';
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

CREATE TABLE push_devices (
  id INTEGER PRIMARY KEY,
  player_id INTEGER REFERENCES players (id) ON DELETE CASCADE,
  session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
  endpoint TEXT NOT NULL,
  p256dh BLOB NOT NULL,
  auth BLOB NOT NULL,
  since_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX push_devices_by_player ON push_devices (player_id, since_ms, id);
CREATE INDEX push_devices_by_session ON push_devices (session_id);

CREATE TABLE notices (
  id INTEGER PRIMARY KEY,
  device_id INTEGER NOT NULL REFERENCES push_devices (id) ON DELETE CASCADE,
  player_id INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
  kind INTEGER NOT NULL CHECK (kind IN (1, 2, 3, 4)),
  subject TEXT NOT NULL,
  table_id INTEGER,
  from_id INTEGER,
  version INTEGER NOT NULL,
  due_ms INTEGER,
  until_ms INTEGER NOT NULL,
  tries INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX notices_once ON notices (device_id, player_id, kind, subject);
CREATE INDEX notices_by_player ON notices (player_id);
CREATE INDEX notices_by_table ON notices (table_id) WHERE table_id IS NOT NULL;
CREATE INDEX notices_due ON notices (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX notices_by_end ON notices (until_ms);
)sql";

}  // namespace tesela::store
