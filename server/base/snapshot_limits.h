// The limits of stored snapshots, as limits.h has the others.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesela::limits {

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

}  // namespace tesela::limits
