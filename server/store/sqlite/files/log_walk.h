// Tells a damaged write-ahead log from one whose end was torn by a power cut. SQLite cannot: it
// ignores everything from the first frame on whose sum is wrong.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/core/result.h"

namespace tesela::store {

/// What a walk over a log has found.
struct WalkedLog {
  /// The bytes that SQLite will use: up to the last commit in front of a broken frame.
  std::uint64_t used_bytes{};
  /// Whether bits have changed in what was committed and synced.
  bool damaged{};
  /// The first broken frame, from 1; 0: the header.
  std::uint64_t broken{};
  /// The frames and commits that SQLite would ignore. What cannot be verified is not counted.
  std::uint64_t lost_frames{};
  std::uint64_t lost_commits{};
  /// Whether behind `used_bytes` frames of the same log stand: of a torn or abandoned commit. Not
  /// of a log whose header is broken.
  bool has_rest{};
};

/// Reads a log that no one writes. A broken frame is damage when
///   - one bit of it has changed, and a commit ends there or behind it; or
///   - a commit ends there or behind it, and more frames of the same log follow: those of a commit
///     are written after the commit before was synced.
/// Otherwise it is the torn end of a commit that was never acknowledged. A log that is missing or
/// empty is sound. Error: kUnavailable when it cannot be read, with the path.
[[nodiscard]] Expected<WalkedLog> walk_log(const std::filesystem::path& log);

}  // namespace tesela::store
