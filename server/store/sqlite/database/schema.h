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

}  // namespace tesela::store
