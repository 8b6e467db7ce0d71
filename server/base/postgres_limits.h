// Limits of the store on PostgreSQL, beside those in store_limits.h.
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

/// Connections of one server for what happens in the background: snapshots, packing, deleting. So
/// none of these takes a connection that the end of a game waits for.
inline constexpr std::size_t kPostgresBackgroundWriters = 1;

// --- Counts of boards

/// Changes of lines of each kind of board that one transaction adds to the counts. The rest comes
/// in the next one.
inline constexpr std::size_t kBoardChangesAtOnce = 512;
/// Between two looks for changes. Until they are counted, whoever asks for a place adds them.
inline constexpr std::chrono::milliseconds kBoardCountInterval{1000};

}  // namespace tesela::limits
