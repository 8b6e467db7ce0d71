// Room for the write-ahead log on the disk, taken before it is needed.
#pragma once

#include <filesystem>

namespace tesela::store {

/// Lengthens the write-ahead log of `database`, which is open, by zeros to
/// limits::kStoreWalBytesMax: SQLite takes them for the end of the log and writes over them. A
/// commit that makes no file longer does not wait for the journal of the file system. It takes no
/// more than a sixteenth of the free space; where there is none, the log stays as it is.
void reserve_log_space(const std::filesystem::path& database);

}  // namespace tesela::store
