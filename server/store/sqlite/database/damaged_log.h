// What a server does about a damaged write-ahead log, before SQLite opens the database.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/core/result.h"

namespace tesela::store {

/// What is done when the log is damaged.
enum class OnDamagedLog : std::uint8_t {
  kRefuse,
  kAccept,  // copies database and log into a folder DIR/damaged-TIME, and cuts the damage off
};

/// Walks the log (walk_log) of a data folder that no server uses; changes nothing. Errors:
/// kCorrupt, with a sentence that says what is lost and what to do; kUnavailable when it cannot be
/// read.
[[nodiscard]] Expected<void> expect_undamaged_log(const std::filesystem::path& folder);

/// The same of a locked folder, and does what is said. Errors: those; kUnavailable when a file
/// cannot be copied or cut.
[[nodiscard]] Expected<void> expect_sound_log(const std::filesystem::path& folder,
                                              OnDamagedLog on_damage);

/// Cuts off what SQLite ignores of a torn commit: later frames would be written in front of it.
/// Only once the mark of the log was found right (expect_latest): before, what looks like a rest
/// may be what the database has lost. Error: kUnavailable.
[[nodiscard]] Expected<void> cut_torn_end(const std::filesystem::path& folder);

}  // namespace tesela::store
