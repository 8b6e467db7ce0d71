// The limits of packed logs, as limits.h has all others: what is limited, and after "Above:" what
// happens when the limit is exceeded. An option in parentheses overrides the default.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tesela::limits {

/// Events and bytes of a log that is packed when its game is over. Above: it stays as it is.
inline constexpr std::size_t kArchiveEventsMax = 250'000;
inline constexpr std::size_t kArchiveBytesMax = 64 * 1024 * 1024;
/// Bytes of a packed log: one transaction stores it, and the moves of others wait for that. Above:
/// the log stays as it is.
inline constexpr std::size_t kArchivePackedBytesMax = 2 * 1024 * 1024;
/// Unpacked logs that are kept for further reads: their number and their memory. Above: the one
/// that was not read for the longest time is dropped; the last one always stays.
inline constexpr std::size_t kUnpackedLogsMax = 64;
inline constexpr std::size_t kUnpackedBytesMax = 32 * 1024 * 1024;
/// From the end of a game until its log is packed (--archive-after).
inline constexpr std::chrono::hours kArchiveAfter{1};
/// Between two searches for logs to pack, at least and at most; otherwise a quarter of that time.
inline constexpr std::chrono::milliseconds kArchiveIntervalMin{100};
inline constexpr std::chrono::milliseconds kArchiveIntervalMax{60'000};
/// Logs that one search finds. When it found as many, the next search follows at once.
inline constexpr std::size_t kArchiveGamesAtOnce = 256;
/// Tables that one search looks at: those with events that are not compacted yet are left out.
inline constexpr std::size_t kArchiveLooksMax = 4096;
/// Events a second that are packed, and as how many a short log counts.
inline constexpr std::uint32_t kArchiveEventsPerSecond = 20'000;
inline constexpr std::uint64_t kArchiveGameCost = 50;
/// Rows of `events` that one transaction removes after their log was packed.
inline constexpr std::size_t kArchiveDropMax = 512;
/// The niceness of the thread that packs logs.
inline constexpr int kArchiveNiceness = 15;

}  // namespace tesela::limits
