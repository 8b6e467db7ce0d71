// The files with which commands of an operator mark a data folder.
#pragma once

#include <filesystem>

#include "engine/core/result.h"

namespace tesela::store {

/// The number of the log (LogMark).
inline constexpr const char* kLogMarkFile = "log.mark";

/// Exists while a restore changes the folder, whose content is inconsistent then: from before its
/// first byte until its last one is durable. It has the name of the folder for the earlier data; it
/// is empty while nothing was moved there.
[[nodiscard]] std::filesystem::path restoring_in(const std::filesystem::path& folder);

/// Exists since the data of the folder were carried over to PostgreSQL.
[[nodiscard]] std::filesystem::path migrated_in(const std::filesystem::path& folder);

/// Error: kUnavailable after an interrupted restore, with a sentence for the operator.
[[nodiscard]] Expected<void> expect_restored(const std::filesystem::path& folder);

/// Error: kUnavailable after a migration, likewise.
[[nodiscard]] Expected<void> expect_not_migrated(const std::filesystem::path& folder);

/// Both.
[[nodiscard]] Expected<void> expect_unmarked(const std::filesystem::path& folder);

}  // namespace tesela::store
