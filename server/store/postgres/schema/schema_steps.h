// What the versions after the first one changed (FORMAT.md, "On PostgreSQL").
#pragma once

#include <array>

#include "server/store/postgres/schema/friends_schema.h"
#include "server/store/postgres/schema/moderation_schema.h"
#include "server/store/postgres/schema/schema.h"

namespace tesela::store::postgres {

// Members (kind 4), and how players come back. A server of the first version would not read members
// and would accept the tokens of ended sessions.
inline constexpr std::array kAccounts{
    "ALTER TABLE players DROP CONSTRAINT players_kind_check,"
    "  ADD CONSTRAINT players_kind_check CHECK (kind IN (0, 1, 2, 3, 4)) NOT VALID",
    "CREATE TABLE sessions ("
    "  id bigint PRIMARY KEY,"
    "  player_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  created_ms bigint NOT NULL,"
    "  seen_ms bigint NOT NULL,"
    "  ended_ms bigint,"
    "  device text COLLATE \"C\" NOT NULL,"
    "  proof bytea)",
    "CREATE INDEX sessions_by_player ON sessions (player_id, ended_ms, seen_ms, id)",
    "CREATE INDEX sessions_by_end ON sessions (ended_ms, id) WHERE ended_ms IS NOT NULL",
    "CREATE UNIQUE INDEX sessions_by_proof ON sessions (proof) WHERE proof IS NOT NULL",
    "CREATE TABLE credentials ("
    "  id bytea PRIMARY KEY,"
    "  player_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  kind bigint NOT NULL CHECK (kind IN (1, 2, 3)),"
    "  name text COLLATE \"C\" NOT NULL,"
    "  secret bytea NOT NULL,"
    "  uses bigint NOT NULL CHECK (uses >= 0),"
    "  created_ms bigint NOT NULL,"
    "  used_ms bigint)",
    "CREATE INDEX credentials_by_player ON credentials (player_id, created_ms, id)",
};

// Handles, whose mark no other name has from here on; who may see a profile; and ratings by day. A
// server of the version before would let anybody take a name with the mark.
inline constexpr std::array kProfiles{
    "CREATE TABLE handles ("
    "  key text COLLATE \"C\" PRIMARY KEY,"
    "  player_id bigint NOT NULL REFERENCES players (id) ON DELETE CASCADE,"
    "  handle text COLLATE \"C\" NOT NULL,"
    "  created_ms bigint NOT NULL,"
    "  kept_until_ms bigint)",
    "CREATE INDEX handles_by_player ON handles (player_id)",
    "ALTER TABLE players ADD COLUMN audience bigint NOT NULL DEFAULT 1"
    "  CHECK (audience IN (1, 2, 3))",
    "UPDATE players SET display_name = 'a' || substr(display_name, 2)"
    "  WHERE substr(display_name, 1, 1) IN ('@', chr(65131), chr(65312))",
    "CREATE TABLE rating_days ("
    "  game text COLLATE \"C\" NOT NULL,"
    "  player_id bigint NOT NULL REFERENCES players (id),"
    "  day bigint NOT NULL,"
    "  points bigint NOT NULL,"
    "  PRIMARY KEY (game, player_id, day))",
    "CREATE INDEX rating_days_by_player ON rating_days (player_id)",
};

/// The steps to the versions after the first, in order.
inline constexpr std::array kSteps{
    Step{.version = 2, .min_reader = 2, .statements = kAccounts},
    Step{.version = 3, .min_reader = 3, .statements = kProfiles},
    Step{.version = 4, .min_reader = 4, .statements = kModeration},
    Step{.version = 5, .min_reader = 5, .statements = kFriends},
    Step{.version = 6, .min_reader = kMinReader, .statements = kVoidGames}};

}  // namespace tesela::store::postgres
