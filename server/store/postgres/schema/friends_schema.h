// The part of the schema for whom players follow and block, for challenges, for whose a remote bot
// is, for guests who were merged into accounts, and for what players are told while they are away
// (FORMAT.md).
#pragma once

#include <array>

namespace tesela::store::postgres {

// A server of an earlier version would match players who block each other, and leave what names an
// erased player.
inline constexpr std::array kFriends{
    "ALTER TABLE players ADD COLUMN challengers bigint NOT NULL DEFAULT 1"
    "  CHECK (challengers IN (1, 2, 3)),"
    "  ADD COLUMN here_ms bigint NOT NULL DEFAULT 0,"
    "  ADD COLUMN owner_id bigint,"
    "  ADD COLUMN merged_into bigint,"
    "  ADD COLUMN told bigint NOT NULL DEFAULT 15 CHECK (told BETWEEN 0 AND 15),"
    "  ADD COLUMN quiet_from bigint NOT NULL DEFAULT 0,"
    "  ADD COLUMN quiet_to bigint NOT NULL DEFAULT 0,"
    "  ADD COLUMN quiet_zone text COLLATE \"C\" NOT NULL DEFAULT ''",
    "CREATE INDEX players_merged ON players (merged_into) WHERE merged_into IS NOT NULL",
    "CREATE TABLE follows ("
    "  player_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  followed_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  made_ms bigint NOT NULL,"
    "  PRIMARY KEY (player_id, followed_id))",
    "CREATE INDEX follows_by_followed ON follows (followed_id)",
    "CREATE TABLE blocks ("
    "  player_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  blocked_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  made_ms bigint NOT NULL,"
    "  PRIMARY KEY (player_id, blocked_id))",
    "CREATE INDEX blocks_by_blocked ON blocks (blocked_id)",
    "CREATE TABLE challenges ("
    "  id text COLLATE \"C\" PRIMARY KEY,"
    "  from_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  to_id bigint REFERENCES players (id) ON DELETE CASCADE,"
    "  game text COLLATE \"C\" NOT NULL,"
    "  config bytea NOT NULL,"
    "  options bytea NOT NULL,"
    "  created_ms bigint NOT NULL,"
    "  expires_ms bigint NOT NULL,"
    "  state bigint NOT NULL CHECK (state IN (1, 2, 3)),"
    "  table_id bigint,"
    "  CHECK ((state = 2) = (table_id IS NOT NULL)))",
    "CREATE UNIQUE INDEX challenges_once ON challenges (from_id, to_id, game)"
    "  WHERE state = 1 AND to_id IS NOT NULL",
    "CREATE INDEX challenges_from ON challenges (from_id, created_ms, id)",
    "CREATE INDEX challenges_to ON challenges (to_id, state, created_ms, id)"
    "  WHERE to_id IS NOT NULL",
    "CREATE INDEX challenges_by_end ON challenges (expires_ms, id)",
    "CREATE TABLE push_devices ("
    "  id bigint PRIMARY KEY,"
    "  player_id bigint REFERENCES players (id) ON DELETE CASCADE,"
    "  session_id bigint REFERENCES sessions (id) ON DELETE CASCADE,"
    "  endpoint text COLLATE \"C\" NOT NULL,"
    "  p256dh bytea NOT NULL,"
    "  auth bytea NOT NULL,"
    "  since_ms bigint NOT NULL)",
    "CREATE INDEX push_devices_by_player ON push_devices (player_id, since_ms, id)",
    "CREATE INDEX push_devices_by_session ON push_devices (session_id)",
    "CREATE TABLE notices ("
    "  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,"
    "  device_id bigint NOT NULL REFERENCES push_devices (id) ON DELETE CASCADE,"
    "  player_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  kind bigint NOT NULL CHECK (kind IN (1, 2, 3, 4)),"
    "  subject text COLLATE \"C\" NOT NULL,"
    "  table_id bigint,"
    "  from_id bigint,"
    "  version bigint NOT NULL,"
    "  due_ms bigint,"
    "  until_ms bigint NOT NULL,"
    "  tries bigint NOT NULL)",
    "CREATE UNIQUE INDEX notices_once ON notices (device_id, player_id, kind, subject)",
    "CREATE INDEX notices_by_player ON notices (player_id)",
    "CREATE INDEX notices_by_table ON notices (table_id) WHERE table_id IS NOT NULL",
    "CREATE INDEX notices_due ON notices (due_ms) WHERE due_ms IS NOT NULL",
    "CREATE INDEX notices_by_end ON notices (until_ms)",
};

}  // namespace tesela::store::postgres
