// The schema of FORMAT.md: creates, checks and upgrades it, and configures connections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// PRAGMA application_id: "TSLA".
inline constexpr std::int64_t kApplicationId = 0x54534C41;
/// Of the versions before the first release: "TESE".
inline constexpr std::int64_t kUnreleasedApplicationId = 0x54455345;
/// PRAGMA user_version.
inline constexpr std::int64_t kSchemaVersion = 6;

/// The settings of the one connection that writes.
void tune_writer(Connection& connection);
/// The settings of a connection that reads.
void tune_reader(Connection& connection);

/// Whether this server can use the database. Errors and exceptions: those of prepare_schema; an
/// empty database is refused as another application's.
Expected<void> expect_ours(Connection& connection, const std::filesystem::path& folder);

/// Creates the schema in an empty database, checks that any other is Tesela's, and takes the steps
/// from an older schema to this version. Errors: kUnavailable for a newer schema and for one before
/// the first release, kCorrupt for another application's file; each with a sentence for the
/// operator. Throws StorageError.
Expected<void> prepare_schema(Connection& connection, const std::filesystem::path& folder);

/// Creates schema 1 in an empty database. Throws StorageError.
void create_schema(Connection& connection);
/// The same, and takes the steps to `version`. Throws StorageError.
void create_schema(Connection& connection, std::int64_t version);
/// The part of `create_schema` with packed logs, inside a transaction. Throws StorageError.
void create_packed_logs(Connection& connection);
/// Marks the database as Tesela's, with schema 1. Throws StorageError.
void become_schema_1(Connection& connection);

/// Takes the steps, to version 2 and so on, that the database has not taken yet, each in one
/// transaction. Throws StorageError.
void take_steps(Connection& connection, std::span<const char* const> steps);

/// Compacts all recent events that an earlier run has left. Throws StorageError.
void compact_leftovers(Connection& connection);

}  // namespace tesela::store
