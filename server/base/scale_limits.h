// Limits of work and data that grow with the age of a server and with the number of simultaneous
// clients, as those in limits.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "server/base/limits.h"

namespace tesela::limits {

// --- Executions that wait
// --------------------------------------------------------------------------

/// Loads and missed events that are executed at once; the others wait in the order of their urgency
/// (replay/execution_queue.h). Waiting ones. Above: kUnavailable.
inline constexpr std::size_t kExecutionsAtOnce = 2 * kExecutionThreads;
inline constexpr std::size_t kExecutionsWaitingMax = 20'000;
/// Of so many that begin, one is the oldest of all, so that nobody waits for ever.
inline constexpr std::uint64_t kExecutionsPerOldest = 8;

// --- Data that ends
// ------------------------------------------------------------------------------

/// How long games that nobody needs are kept after their end (--keep-games), and guests who do not
/// come any more after their last sign of life (--keep-guests). Later: they are deleted.
inline constexpr std::chrono::hours kKeepGames{90 * 24};
inline constexpr std::chrono::hours kKeepGuests{180 * 24};
/// How old a stored sign of life is before a renewed token stores another one, at the most;
/// otherwise a quarter of --keep-guests. Sooner: nothing is written.
inline constexpr std::chrono::hours kSignOfLifeAge{24};
/// The pause between two steps of deleting, and the most time between two searches for something
/// to delete, which is otherwise a quarter of the shorter of the two options.
inline constexpr std::chrono::milliseconds kRetentionPause{50};
inline constexpr std::chrono::minutes kRetentionInterval{10};
/// The most time from the start to the first search.
inline constexpr std::chrono::minutes kRetentionBegins{1};
/// How long after the end of a game that end may be stored: moves wait while the database is away
/// (--store-wait), and for a standby. Later: the table is not found, and stays.
inline constexpr std::chrono::milliseconds kEndingStoredTimeMax{120'000};
/// Ended tables, and guests, that one step looks at; the rest is looked at in the next.
inline constexpr std::size_t kRetentionTablesLooked = 64;
inline constexpr std::size_t kRetentionGuestsLooked = 16;
/// Tables of one guest that a step looks at. Above: the guest is looked at again.
inline constexpr std::size_t kRetentionTablesOfGuest = 16;
/// What one transaction deletes: tables, events of deleted tables; and the pages of the database
/// that it gives back to the file system.
inline constexpr std::size_t kRemovedTablesAtOnce = 16;
inline constexpr std::size_t kRemovedEventsAtOnce = 512;
inline constexpr std::size_t kReturnedPagesAtOnce = 64;
/// Unused pages that stay in the database for later writes.
inline constexpr std::size_t kUnusedPagesKept = 256;
/// Tables of an erased player whose rows one transaction changes.
inline constexpr std::size_t kErasedTablesAtOnce = kRetentionTablesLooked;
/// Erased players whose tokens are refused, the last ones. Above: tokens of the others are accepted
/// until they expire.
inline constexpr std::size_t kErasedPlayersMax = 100'000;
/// Lines of a board that a new block of its counts has (FORMAT.md). Twice as many: it is split.
inline constexpr std::size_t kBoardBlockLines = 512;

}  // namespace tesela::limits
