// The part of the schema for whom players follow and block, for challenges, for whose a remote bot
// is, and for guests who were merged into accounts (FORMAT.md).
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
    "  ADD COLUMN merged_into bigint",
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
};

}  // namespace tesela::store::postgres
