// The limits of what servers on one database tell each other of changed tables, as in limits.h.
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

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
