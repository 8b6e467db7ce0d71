// When a data folder was last backed up: `tesela-server backup` notes it there, and the server
// tells it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace tesela::ops {

/// Notes that the folder was backed up now. Whether that succeeded; errno says why not.
[[nodiscard]] bool note_backup(const std::filesystem::path& data);

/// In seconds of Unix time; 0: never.
[[nodiscard]] std::int64_t last_backup_seconds(const std::filesystem::path& data);

}  // namespace tesela::ops
