// The schema of FORMAT.md: making it, recognising it, and the settings of connections.
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
inline constexpr std::int64_t kSchemaVersion = 4;

/// The size of a page of a new database: measured, see FORMAT.md.
inline constexpr std::size_t kPageBytes = 4096;

/// The settings of the one connection that writes.
void tune_writer(Connection& connection);
/// The settings of a connection that reads.
void tune_reader(Connection& connection);

/// Whether the database is one that this server can use. Errors and exceptions as those of
/// prepare_schema; an empty one is another application's.
Expected<void> expect_ours(Connection& connection, const std::filesystem::path& folder);

/// Makes the schema in an empty database, checks that any other one is ours, and brings an older
/// one to this version. Errors: kUnavailable for a newer schema, kCorrupt for another application's
/// file; each with a sentence for the operator. Throws StorageError.
Expected<void> prepare_schema(Connection& connection, const std::filesystem::path& folder);

/// Settles every recent event that a run before has left. Throws StorageError.
void compact_leftovers(Connection& connection);

/// Marks the accounts of bots as what they are and gives them the ids of bot_account; their seats
/// and ratings follow. Until schema 3 a bot's id was FNV-1a of its game and name: whoever has that
/// id and that name is a bot. A seat of a bot whose id was a person's goes to an account of the
/// bot's own; what such games did to the person's rating cannot be told apart and stays.
///
/// Inside a transaction, without foreign keys. `players` has the columns of schema 4; the seats
/// stand in `old_seats`, whose player_id is changed. Throws StorageError.
void move_bots_to_their_accounts(Connection& connection);

}  // namespace tesela::store
