// The keys of a data folder, as a backup carries them.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace tesela::store {

/// A file NAME.key and what it holds.
struct Key {
  std::string name;
  std::string bytes;
};

/// The keys beside the database of a folder. Only what is a regular file of one name, and the
/// database's owner's, is read: who may write to the folder must not get hold of what only the
/// caller, who may be root, can read. Errors, with a sentence: kInvalidArgument for anything else
/// of the name of a key, kUnavailable.
[[nodiscard]] Expected<std::vector<Key>> read_keys(const std::filesystem::path& folder);

/// Whether that succeeded, into `folder`; errno says why not.
[[nodiscard]] bool write_key(const Key& key, const std::filesystem::path& folder);

[[nodiscard]] std::vector<std::string> names_of(const std::vector<Key>& keys);

}  // namespace tesela::store
