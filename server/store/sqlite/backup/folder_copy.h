// A database as one whole file elsewhere.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

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
