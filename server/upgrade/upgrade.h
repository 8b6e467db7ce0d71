// The command `tesela-server upgrade`: brings what a version before the first release has written
// to schema 1. It goes with the first release.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace tesela::upgrade {

struct Upgrade {
  std::int64_t packed{};  // logs of finished games that were packed anew
  /// For each log that cannot be read, a sentence. Its bytes are left as they were, and only its
  /// table is damaged.
  std::vector<std::string> unreadable{};
};

/// Empty: it has schema 1 already.
using Upgraded = std::optional<Upgrade>;

/// Of a data folder on which no server runs, in one transaction: killed at any moment, it has
/// changed nothing or all. Errors, each a sentence for the operator: kNotFound (no database),
/// kUnavailable (a server runs on the folder, an earlier version wrote it, or the disk refuses),
/// kCorrupt (the database is damaged, or another program's).
[[nodiscard]] Expected<Upgraded> upgrade_folder(const std::filesystem::path& data);

/// Likewise of a database on PostgreSQL (postgres://…) that no server uses. Blocks. Errors
/// likewise.
[[nodiscard]] Expected<Upgraded> upgrade_database(const std::string& url);

}  // namespace tesela::upgrade
