// Copies of a data folder: made while a server runs on it, and put back.
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
/// for the operator: kNotFound (there is no database), kInvalidArgument (`backup` holds something),
/// kCorrupt (the database is damaged), kUnavailable.
[[nodiscard]] Expected<Copied> back_up(const std::filesystem::path& data,
                                       const std::filesystem::path& backup);

/// Copies what back_up has made to the data folder, once it was checked as above. Where the folder
/// has a database or one of the keys, it is refused; with `replace` those are moved to
/// `data`/replaced-TIME first. If it is broken off in between, no server starts there until a
/// restore is done. Errors: kNotFound (`backup` is none), kInvalidArgument (something is there),
/// kCorrupt (the backup is damaged, or another program's), kUnavailable (a server runs on the
/// folder, the backup is a newer Tesela's, or the disk refuses).
[[nodiscard]] Expected<Copied> restore(const std::filesystem::path& backup,
                                       const std::filesystem::path& data, bool replace);

}  // namespace tesela::store
