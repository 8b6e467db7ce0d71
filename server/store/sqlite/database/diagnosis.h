// Error messages for operators: what is wrong with a database or its folder, and what to do.
#pragma once

#include <filesystem>

#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Whether the error means that the file is damaged, so that a backup is needed.
[[nodiscard]] bool damaged(const StorageError& error);

/// Whether SQLite refuses a value that it was given: the database is in order.
[[nodiscard]] bool refuses_value(const StorageError& error);

/// The folder cannot be used; `cause` is an errno. kUnavailable.
[[nodiscard]] Error cannot_use(const std::filesystem::path& folder, int cause);

/// The database cannot be opened or used. kCorrupt when it is damaged, otherwise kUnavailable.
[[nodiscard]] Error cannot_open(const std::filesystem::path& database, const StorageError& error);

/// The database can be read but not written. kUnavailable.
[[nodiscard]] Error read_only(const std::filesystem::path& database);

/// A write has failed, or damage was found, in a running server. As above, but without a path and
/// without SQLite's text, because /readyz is public.
[[nodiscard]] Error cannot_go_on(const StorageError& error);

/// The database file could not be synced. kUnavailable, without a path.
[[nodiscard]] Error cannot_sync();

}  // namespace tesela::store
