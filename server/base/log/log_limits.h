// Limits of the log (limits.h).
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

/// As kStrangerLogPause, of statements that tell what one client does: on average, and lines at
/// once; of clients without a token, and of players.
inline constexpr std::chrono::milliseconds kStrangerLinePause{50};
inline constexpr unsigned kStrangerLinesAtOnce = 100;
inline constexpr std::chrono::milliseconds kPlayerLinePause{5};
inline constexpr unsigned kPlayerLinesAtOnce = 1000;
/// Bytes of a text in a field of a line. Above: the rest is cut off.
inline constexpr std::size_t kLogValueBytesMax = 200;
/// A commit that took longer is logged.
inline constexpr std::chrono::milliseconds kSlowCommit{250};

}  // namespace tesela::limits
