// Limits of the store on PostgreSQL, beside those in store_limits.h.
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

/// Connections of one server for what happens in the background: snapshots, packing, deleting. So
/// none of these takes a connection that the end of a game waits for.
inline constexpr std::size_t kPostgresBackgroundWriters = 1;

/// How often four questions are asked at the start, where a pooler is between, to find out whether
/// it mixes the statements of sessions.
inline constexpr int kPostgresPoolerRounds = 8;

/// Tables of the matchmaker whose statements are sent at once.
inline constexpr std::size_t kMatchesAtOnce = 64;

// --- Counts of boards

/// Changes of lines of each kind of board that one transaction adds to the counts. The rest comes
/// in the next one.
inline constexpr std::size_t kBoardChangesAtOnce = 512;
/// Between two looks for changes. Until they are counted, a query for a place adds them.
inline constexpr std::chrono::milliseconds kBoardCountInterval{1000};

// --- Migrations from SQLite

/// Rows of one transaction of a migration, and of one answer when it compares: of relations with
/// rows that are short, may have the length of a snapshot, or that of a packed log.
inline constexpr std::size_t kMigrationShortRowsAtOnce = 2048;
inline constexpr std::size_t kMigrationSnapshotsAtOnce = 256;
inline constexpr std::size_t kMigrationPackedLogsAtOnce = 4;
/// Bytes of such a transaction, unless it is a single row. Above: the rest goes into the next.
inline constexpr std::size_t kMigrationBytesAtOnce = 4 * 1024 * 1024;
/// How long a migration waits for one answer, and for the end of the process of PostgreSQL that
/// served a migration before, which was killed. Later: it is broken off, and can be resumed.
inline constexpr std::chrono::minutes kMigrationAnswerMax{30};
inline constexpr std::chrono::seconds kMigrationTurnMax{60};
/// Between two lines about the progress of the same relation.
inline constexpr std::chrono::seconds kMigrationProgressInterval{2};

}  // namespace tesela::limits
