// Backs a data folder up while a server runs on it, and restores a backup.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace tesela::store {

/// What was copied, for the message to the operator.
struct Copied {
  std::int64_t tables{};
  std::uintmax_t bytes{};         // of the database
  std::vector<std::string> keys;  // names of the key files
  std::filesystem::path aside;    // where a restore has moved earlier data; empty: there was none
};

/// Copies a consistent state of the database and the keys of the data folder to the folder
/// `backup`, which is created, or must be empty. A server may run on the data folder; everything
/// that it had acknowledged before the call is in the copy. On success the copy was checked (PRAGMA
/// integrity_check, schema) and is durable; its files are readable by their owner alone.
/// `backup`/tesela.db appears in the last step: a folder without it is no backup. On an error
/// everything that was written is removed. Errors, each a sentence
/// for the operator: kNotFound (there is no database), kInvalidArgument (`backup` holds something,
/// or a key is no regular file of the database's owner), kCorrupt (the database is damaged),
/// kUnavailable.
[[nodiscard]] Expected<Copied> back_up(const std::filesystem::path& data,
                                       const std::filesystem::path& backup);

/// Checks a backup as back_up does, and copies it to the data folder. If the folder has a database
/// or a key, it is refused; with `replace`, they are moved to `data`/replaced-TIME first. After an
/// interrupted restore no server starts on the folder until another restore succeeds, which resumes
/// it. Nothing is overwritten: the data from before the first attempt is in one folder
/// replaced-TIME, and the files of interrupted attempts are in `unfinished` there. Errors:
/// kNotFound (`backup` is none), kInvalidArgument (something is there), kCorrupt (the backup is
/// damaged, or another program's), kUnavailable (a server runs on the folder, the backup is a newer
/// Tesela's, or the disk refuses).
///
/// `after_step` is called after each change of the data folder, so that tests can interrupt it.
[[nodiscard]] Expected<Copied> restore(
    const std::filesystem::path& backup, const std::filesystem::path& data, bool replace,
    const std::function<void()>& after_step = [] {});

}  // namespace tesela::store
