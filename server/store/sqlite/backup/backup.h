// Copies of a data folder, made while a server runs on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace tesela::store {

/// What was copied.
struct Copied {
  std::int64_t tables{};
  std::uintmax_t bytes{};         // of the database
  std::vector<std::string> keys;  // the names of their files
  std::filesystem::path aside;    // where a restore has put what was there before; empty: nothing
};

/// Copies the database of the data folder, as it is at one moment, and the keys beside it to the
/// folder `backup`, which is made, or is empty. A server that runs on the data folder, in this
/// process or another, goes on meanwhile; what it had acknowledged when this was called is in the
/// copy. On success the copy was checked (PRAGMA integrity_check, schema) and is on the disk; its
/// files are for their owner alone. `backup`/tesela.db appears as the last step, so that without it
/// a folder is no backup. On an error nothing is left of what was written. Errors, each a sentence
/// for the operator: kNotFound (there is no database), kInvalidArgument (`backup` holds something,
/// or a key is no regular file of the database's owner), kCorrupt (the database is damaged),
/// kUnavailable.
[[nodiscard]] Expected<Copied> back_up(const std::filesystem::path& data,
                                       const std::filesystem::path& backup);

}  // namespace tesela::store
