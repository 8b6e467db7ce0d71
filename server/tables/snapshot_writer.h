// Stores snapshots of a table's position, so that its log need not be executed from its beginning.
#pragma once

#include <cstdint>

#include "engine/core/ids.h"
#include "server/store/snapshots.h"
#include "server/tables/core/position.h"

namespace tesela::tables {

/// One thread: the table's. Nothing waits for the store.
class SnapshotWriter {
 public:
  struct Options {
    std::uint64_t interval;  // the versions from one snapshot to the next; 0: none is written
    Version last;            // of the newest that is stored; 0: none
  };

  /// The references outlive it.
  SnapshotWriter(const Position& position, store::Snapshots& snapshots, const Options& options)
      : position_(position),
        snapshots_(snapshots),
        interval_(options.interval),
        last_(options.last) {}

  /// An event was stored: writes the snapshot that is due.
  void moved();
  /// The table leaves the memory: writes a last snapshot, or, of a game that is over or a table
  /// that was closed, drops those that nobody needs any more. After a crash the archiver does so.
  void unloaded();

 private:
  void write();

  const Position& position_;
  store::Snapshots& snapshots_;
  const std::uint64_t interval_;
  Version last_;
};

/// The versions between two snapshots of a game in play, by what its events cost. `events`: between
/// those of the game whose events cost least (limits::kSnapshotEvents); a power of two, or 0 for
/// none.
[[nodiscard]] std::uint64_t snapshot_interval(std::string_view game, std::uint64_t events);

/// The versions between two snapshots that a table keeps after its end, for replays: at most
/// limits::kFinishedSnapshotsMax snapshots. `interval`: of the game in play; 0 for none. `last`:
/// its last version.
[[nodiscard]] std::uint64_t finished_snapshot_interval(std::uint64_t interval, Version last);

}  // namespace tesela::tables
