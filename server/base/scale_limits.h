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

// --- Accounts
// ------------------------------------------------------------------------------------

/// Live sessions of a player. Above: the longest unseen one ends.
inline constexpr std::size_t kSessionsPerPlayer = 50;
/// Games of a guest who is merged into an account. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kMergedGamesMax = 10'000;
/// Credentials of a player. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kCredentialsPerPlayer = 20;
/// Characters of what a client calls its device, and of the name of a credential. Above:
/// INVALID_ARGUMENT.
inline constexpr std::size_t kDeviceNameMax = 64;
/// Characters of a handle, and of the beginning of one that is looked for. Else: INVALID_ARGUMENT.
inline constexpr std::size_t kHandleMin = 3;
inline constexpr std::size_t kHandleMax = 20;
inline constexpr std::size_t kHandlePrefixMin = 2;
/// A handle cannot be changed, and the one before is kept from others. Within it:
/// FAILED_PRECONDITION (TOO_SOON), and ALREADY_EXISTS for others.
inline constexpr std::chrono::milliseconds kHandleKept = std::chrono::days{30};
/// Days of ratings, lines of best scores, and players found, that a profile and a search have.
inline constexpr std::chrono::days kRatingDays{365};
inline constexpr std::size_t kProfileScoresMax = 100;
inline constexpr std::size_t kPlayersFoundMax = 10;
/// Daily games that a profile counts streaks in.
inline constexpr std::size_t kProfileDailyMax = 1200;
/// Ended sessions whose tokens a server refuses, the last ones. Above: tokens of the others are
/// accepted until they expire.
inline constexpr std::size_t kEndedSessionsMax = 500'000;
/// Between two looks of a server for players who were erased, and sessions that were ended, by way
/// of another one.
inline constexpr std::chrono::milliseconds kRevocationInterval{500};
/// Ended sessions that it asks for. Above: it asks for kEndedSessionsMax.
inline constexpr std::size_t kEndedSessionsAtOnce = 1000;
/// How long the end of a session may take to be committed: a look goes back so far.
inline constexpr std::chrono::milliseconds kEndingCommitTimeMax{30'000};

// --- Moderation
// ----------------------------------------------------------------------------------

/// Characters of a report, of an operator's reason, name and outcome, and of a player's answer.
/// Above: INVALID_ARGUMENT.
inline constexpr std::size_t kReportTextMax = 500;
inline constexpr std::size_t kActReasonMax = 140;
inline constexpr std::size_t kOperatorNameMax = 40;
inline constexpr std::size_t kActAnswerMax = 500;
/// The last lines of a table's talk, which a report takes. Above: the oldest is forgotten.
inline constexpr std::size_t kTalkKept = 20;
/// Reports of a player, and of an address, in the time. Above: RESOURCE_EXHAUSTED.
inline constexpr std::uint32_t kReportsAtOnce = 5;
inline constexpr std::chrono::minutes kReportsTime{60};
/// How long a closed report is kept. Later: it is deleted. Those that one transaction deletes.
inline constexpr std::chrono::hours kKeepReports{180 * 24};
inline constexpr std::size_t kRemovedReportsAtOnce = 64;
/// Open reports that are counted for metrics. More: this number is shown.
inline constexpr std::size_t kOpenReportsCounted = 1000;
/// Acts in force that a server knows, the last ones. Above: the older ones do not hold.
inline constexpr std::size_t kActsInForceMax = 500'000;
/// Acts of one player that are shown, the last ones.
inline constexpr std::size_t kActsShown = 100;

}  // namespace tesela::limits
