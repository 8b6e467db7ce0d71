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

/// Walks the log (walk_log) of a locked data folder, and cuts off what SQLite would ignore of a
/// torn commit: later frames would be written in front of it. Errors: kCorrupt, with a sentence
/// that says what is lost and what to do; kUnavailable when a file cannot be read, copied or cut.
[[nodiscard]] Expected<void> expect_sound_log(const std::filesystem::path& folder,
                                              OnDamagedLog on_damage);

/// The same for a reader: changes nothing. Errors: kCorrupt, kUnavailable.
[[nodiscard]] Expected<void> expect_undamaged_log(const std::filesystem::path& folder);

}  // namespace tesela::store
