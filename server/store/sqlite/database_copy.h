// A database as one whole file elsewhere.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/core/result.h"

namespace tesela::store {

/// What a copy holds.
struct DatabaseCopy {
  std::int64_t tables{};
  std::uintmax_t bytes{};
};

/// Copies the database `from`, as it is at one moment, to the new file `to`, whoever writes to it
/// meanwhile. On success `to` needs no file beside it, was checked and is on the disk, for its
/// owner alone; its name is there after base::sync_folder. On an error `to` is gone. Errors:
/// kCorrupt (`from` is damaged or not Tesela's), kUnavailable (a newer Tesela wrote it, or the disk
/// refuses), each with a sentence for the operator.
[[nodiscard]] Expected<DatabaseCopy> copy_database(const std::filesystem::path& from,
                                                   const std::filesystem::path& to);

}  // namespace tesela::store
