// Copies of a data folder, made while a server runs on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
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

/// Copies what back_up has made to the data folder, once it was checked as there. Where the folder
/// has a database or one of the keys, it is refused; with `replace` those are moved to
/// `data`/replaced-TIME first. If it is broken off in between, no server starts there until a
/// restore is done: the next one goes on where that one ended. Nothing is overwritten: what was
/// there before the first of them is together in one folder replaced-TIME, and what a broken-off
/// one had put in its place is in the folder `unfinished` there. Errors: kNotFound (`backup` is
/// none), kInvalidArgument (something is there), kCorrupt (the backup is damaged, or another
/// program's), kUnavailable (a server runs on the folder, the backup is a newer Tesela's, or the
/// disk refuses).
///
/// `after_step` is called after each change of the data folder, for who wants to break it off
/// there.
[[nodiscard]] Expected<Copied> restore(
    const std::filesystem::path& backup, const std::filesystem::path& data, bool replace,
    const std::function<void()>& after_step = [] {});

}  // namespace tesela::store
