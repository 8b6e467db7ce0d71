// Putting a backup back.
#pragma once

#include <filesystem>
#include <functional>

#include "engine/core/result.h"
#include "server/store/sqlite/backup/backup.h"

namespace tesela::store {

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
