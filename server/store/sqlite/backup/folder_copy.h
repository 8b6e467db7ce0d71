// Copies the parts of a data folder: its database and its keys.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace tesela::store {

/// What a copy of a database contains.
struct DatabaseCopy {
  std::int64_t tables{};
  std::uintmax_t bytes{};
};

/// Copies a consistent state of the database `from`, which may be written meanwhile, to the new
/// file `to`. On success `to` has no write-ahead log, was checked, is durable and readable by its
/// owner alone; its name is durable after base::sync_folder. On an error `to` is removed. Errors:
/// kCorrupt (`from` is damaged or not Tesela's), kUnavailable (a newer Tesela wrote it, or the disk
/// refuses), each with a sentence for the operator.
[[nodiscard]] Expected<DatabaseCopy> copy_database(const std::filesystem::path& from,
                                                   const std::filesystem::path& to);

/// A file NAME.key and its content.
struct Key {
  std::string name;
  std::string bytes;
};

/// Reads the keys of a data folder. Each must be a regular file with one name and the owner of the
/// database, so that whoever can write to the folder cannot make the caller, who may be root, read
/// another file. Errors, with a sentence: kInvalidArgument for any other NAME.key, kUnavailable.
[[nodiscard]] Expected<std::vector<Key>> read_keys(const std::filesystem::path& folder);

/// Writes a key into `folder`. Whether that succeeded; errno says why not.
[[nodiscard]] bool write_key(const Key& key, const std::filesystem::path& folder);

[[nodiscard]] std::vector<std::string> names_of(const std::vector<Key>& keys);

}  // namespace tesela::store
