// The space of SQLite's write-ahead log.
#pragma once

#include <filesystem>

namespace tesela::store {

/// Extends the write-ahead log of `database`, which is open, with zeros to
/// limits::kStoreWalBytesMax. SQLite takes zeros for the end of the log and overwrites them. A
/// commit that does not extend the file does not wait for the file system's journal. Takes at most
/// a sixteenth of the free space; on failure the log stays as it is.
void reserve_log_space(const std::filesystem::path& database);

}  // namespace tesela::store
