// Compares the schema of a database with the one that this program makes.
#pragma once

#include <filesystem>

#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Whether the database has the schema of this version, nothing added, changed or missing: a
/// foreign trigger or view would run with what the server writes and reads. Error: kCorrupt, with a
/// sentence that names what differs. Throws StorageError.
Expected<void> expect_own_schema(Connection& connection, const std::filesystem::path& database);

}  // namespace tesela::store
