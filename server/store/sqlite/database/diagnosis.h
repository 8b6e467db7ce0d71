// What is wrong with a database or its folder, and what would be right: sentences for operators.
#pragma once

#include <filesystem>

#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Whether the file cannot be what was written, so that nothing but a backup helps.
[[nodiscard]] bool damaged(const StorageError& error);

/// The folder refused what a server must do there; `cause` is an errno. kUnavailable.
[[nodiscard]] Error cannot_use(const std::filesystem::path& folder, int cause);

/// The database could not be opened, or was not fit to be served. kCorrupt when it is damaged,
/// kUnavailable else.
[[nodiscard]] Error cannot_open(const std::filesystem::path& database, const StorageError& error);

/// The same of a file that can be read and not written.
[[nodiscard]] Error read_only(const std::filesystem::path& database);

/// A running server has met `error`, a write's or damage. As above, and without a path: /readyz
/// shows it to whoever asks.
[[nodiscard]] Error cannot_go_on(const StorageError& error);

/// The database, not its log, could not be synced. kUnavailable, and without a path too.
[[nodiscard]] Error cannot_sync(const StorageError& error);

}  // namespace tesela::store
