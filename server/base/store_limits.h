// The limits of stored data, as limits.h has all others: what is limited, and after "Above:" what
// happens when the limit is exceeded. An option in parentheses overrides the default.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tesela::limits {

// --- Snapshots

/// Events between two stored snapshots of a table, for the game whose events cost least: so many
/// are executed at most to begin at one, in less than a third of a millisecond. A game whose events
/// cost n times as much has n times as many snapshots. A power of two.
inline constexpr std::uint64_t kSnapshotEvents = 128;
/// The fewest events since the last snapshot for which another one is written when a table is
/// unloaded.
inline constexpr std::uint64_t kSnapshotAtUnloadMin = 16;
/// The events between the snapshots that a finished game keeps, in intervals of a game in play, and
/// the most snapshots that it keeps: in a longer game they are further apart.
inline constexpr std::uint64_t kFinishedSnapshotIntervals = 4;
inline constexpr std::uint64_t kFinishedSnapshotsMax = 128;
/// Bytes of a snapshot. Above: it is not written.
inline constexpr std::size_t kSnapshotBytesMax = 16 * 1024;
/// Snapshots that are tried when the newest ones cannot be used. Above: the log is executed from
/// its beginning.
inline constexpr std::size_t kSnapshotTriesMax = 4;
/// Entries read from the log at once on the way back from an event to earlier ones.
inline constexpr std::size_t kLogReadBackMax = 128;
/// Snapshots of tables that wait for the next transaction. Above: dropped.
inline constexpr std::size_t kStoreSnapshotsMax = 1024;
/// Of them, those in one transaction; the rest goes into the next.
inline constexpr std::size_t kStoreBatchSnapshotsMax = 32;

// --- Packed logs

/// Events and bytes of a log that is packed when its game is over. Above: it stays as it is.
inline constexpr std::size_t kArchiveEventsMax = 250'000;
inline constexpr std::size_t kArchiveBytesMax = 64 * 1024 * 1024;
/// Bytes of a packed log: one transaction stores it, and the moves of others wait for that. Above:
/// the log stays as it is.
inline constexpr std::size_t kArchivePackedBytesMax = 2 * 1024 * 1024;
/// From the end of a game until its log is packed (--archive-after).
inline constexpr std::chrono::hours kArchiveAfter{1};
/// Between two searches for logs to pack, at least and at most; otherwise a quarter of that time.
inline constexpr std::chrono::milliseconds kArchiveIntervalMin{100};
inline constexpr std::chrono::milliseconds kArchiveIntervalMax{60'000};
/// Logs that one search finds. When it found as many, the next search follows at once.
inline constexpr std::size_t kArchiveGamesAtOnce = 256;
/// Tables that one search looks at: those with events that are not compacted yet are left out.
inline constexpr std::size_t kArchiveLooksMax = 4096;
/// Writes that hurry the compaction after a search that has left tables out.
inline constexpr int kArchiveHurriesMax = 64;
/// Logs to pack that are counted for the metric. Above: it stays at that.
inline constexpr std::size_t kArchiveBacklogMax = 10'000;
/// Events a second that are packed, and as how many a short log counts.
inline constexpr std::uint32_t kArchiveEventsPerSecond = 20'000;
inline constexpr std::uint64_t kArchiveGameCost = 50;
/// Rows of `events` that one transaction removes after their log was packed.
inline constexpr std::size_t kArchiveDropMax = 512;
/// The niceness of the thread that packs logs.
inline constexpr int kArchiveNiceness = 15;

// --- PostgreSQL

/// How long a call of the store waits while PostgreSQL is away (--store-wait). Later: kUnavailable
/// if nothing was sent, otherwise kInternal.
inline constexpr std::chrono::seconds kStoreWait{15};
/// Connections of one server: for appends, for other writes, for loads of tables, and for lists.
inline constexpr std::size_t kPostgresAppenders = 2;
inline constexpr std::size_t kPostgresWriters = 4;
inline constexpr std::size_t kPostgresReaders = 2;
inline constexpr std::size_t kPostgresListReaders = 2;
/// Bytes of the records of one batch of appends, unless it is a single one. The rest goes into the
/// next batch.
inline constexpr std::size_t kPostgresBatchBytesMax = 16 * 1024 * 1024;
/// Transactions of one call that were refused because of concurrent ones (deadlock, serialization).
/// Above: kUnavailable, unless an earlier one may have been committed.
inline constexpr int kPostgresConflictsMax = 32;
/// The time for opening a connection, and the delay before the next attempt: it doubles from the
/// first value to the second.
inline constexpr std::chrono::seconds kPostgresOpenTimeMax{5};
inline constexpr std::chrono::milliseconds kPostgresReopenMin{50};
inline constexpr std::chrono::milliseconds kPostgresReopenMax{1000};
/// Between two looks for connections whose time is over.
inline constexpr std::chrono::milliseconds kPostgresWatchInterval{100};
/// After the store was told to close: the time for the calls that wait.
inline constexpr std::chrono::seconds kPostgresCloseTimeMax{5};
/// Before a write is sent again that PostgreSQL has refused although an earlier try of it may be
/// stored.
inline constexpr std::chrono::milliseconds kPostgresRefusalPause{100};
/// Bytes of the file of --database. Above: it is refused.
inline constexpr std::size_t kDatabaseFileBytesMax = 4096;

}  // namespace tesela::limits
