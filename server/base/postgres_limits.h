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

// --- What servers on one database tell each other of changed tables

/// Between two looks of a server for tables that others have changed, and the least time between
/// two looks when others say that they did.
inline constexpr std::chrono::milliseconds kChangesInterval{500};
inline constexpr std::chrono::milliseconds kChangesIntervalMin{50};
/// Between two signals of a server that it has changed tables: changes in between share one.
inline constexpr std::chrono::milliseconds kChangeSignalInterval{25};
/// The time for a signal, and for the connection that it is sent on. Above: the connection is
/// opened again.
inline constexpr std::chrono::milliseconds kChangeSignalTimeMax{1000};
/// Tables that have changed since the last look. Above: they are not told, and every watch of
/// tables begins anew.
inline constexpr std::size_t kChangedTablesMax = 4000;
/// Of them, those that are read with one statement.
inline constexpr std::size_t kChangedRowsAtOnce = 256;
/// Of them, those that are told at once, and the pause until the next ones, in which watchers read.
inline constexpr std::size_t kChangesToldAtOnce = 100;
inline constexpr std::chrono::milliseconds kChangesToldPause{10};
/// How long changes are kept. A server that has not looked for longer begins anew, and so does
/// every watch of tables there.
inline constexpr std::chrono::minutes kChangesKept{5};
/// Changes that one transaction deletes; between two of them, unless more are left: then the next
/// one follows at the next look.
inline constexpr std::size_t kChangesTrimmedAtOnce = 2000;
inline constexpr std::chrono::seconds kChangesTrimInterval{10};
/// Between two notes of which transactions were over at which time.
inline constexpr std::chrono::seconds kChangeMomentInterval{30};
/// How long it is remembered under which epoch a changed table of another server was told.
inline constexpr std::chrono::seconds kForeignEpochsKept{10};
/// Tables of which it is remembered. Above: the older half is forgotten.
inline constexpr std::size_t kForeignEpochsMax = 20'000;

}  // namespace tesela::limits
