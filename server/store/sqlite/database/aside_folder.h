// Folders of a data folder to which what is there is moved or copied.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "engine/core/result.h"

namespace tesela::store {

/// The mode of a folder for its owner alone.
inline constexpr mode_t kFolderOfOwner = 0700;

/// Creates a folder of this name, or of the first free one of NAME-2, NAME-3 …, durably. Error:
/// that of refused_by_system.
[[nodiscard]] Expected<std::filesystem::path> make_folder(const std::filesystem::path& first);

/// The same with the time behind `prefix`: "replaced-" becomes replaced-20261231T235959Z.
[[nodiscard]] Expected<std::filesystem::path> make_folder_of_now(
    const std::filesystem::path& prefix);

}  // namespace tesela::store
