// The schema of FORMAT.md: creates, checks and upgrades it, and configures connections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// PRAGMA application_id: "TESE".
inline constexpr std::int64_t kApplicationId = 0x54455345;
/// PRAGMA user_version.
inline constexpr std::int64_t kSchemaVersion = 10;

/// Where the log of a table is: `tables.log_place`.
enum class LogPlace : std::uint8_t {
  kEvents = 0,  // in `events` and `recent_events`
  kBoth = 1,    // packed in `archives`; what is left of it in `events` is to be removed
  kPacked = 2,  // in `archives`
  kStays = 3,   // in `events`, and stays there: it cannot be packed, or is empty
};

/// The settings of the one connection that writes.
void tune_writer(Connection& connection);
/// The settings of a connection that reads.
void tune_reader(Connection& connection);

/// Whether this server can use the database. Errors and exceptions: those of prepare_schema; an
/// empty database is refused as another application's.
Expected<void> expect_ours(Connection& connection, const std::filesystem::path& folder);

/// Creates the schema in an empty database, checks that any other is Tesela's, and upgrades an
/// older schema to this version. Errors: kUnavailable for a newer schema, kCorrupt for another
/// application's file; each with a sentence for the operator. Throws StorageError.
Expected<void> prepare_schema(Connection& connection, const std::filesystem::path& folder);

/// Creates the schema of a version, 4 or later, in an empty database. Throws StorageError.
void create_schema(Connection& connection, std::int64_t version);

/// The steps from version `from`, 4 or later, to `to`, in schema_steps.cc. Throws StorageError.
void take_steps(Connection& connection, std::int64_t from, std::int64_t to);

/// Compacts all recent events that an earlier run has left. Throws StorageError.
void compact_leftovers(Connection& connection);

/// The upgrade from schema 3 to schema 4 (FORMAT.md, "Versions of the schema"), in upgrade.cc: sets
/// the kind of bots' accounts, and gives them and their seats and ratings the ids of bot_account.
/// Until schema 3 the id of a bot was FNV-1a of its game and name, so an account with that id and
/// that name is a bot's. If a player had that id, the bot's seats move to a new account of the bot;
/// the effect of those games on the player's rating cannot be separated and stays.
///
/// Inside a transaction, without foreign keys. `players` has the columns of schema 4; player_id is
/// changed in `old_seats`. Throws StorageError.
void move_bots_to_their_accounts(Connection& connection);

}  // namespace tesela::store
