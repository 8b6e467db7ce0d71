// Positions of tables, stored beside their logs so that these need not be executed from their
// beginnings.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::store {

/// What is stored of a table at a version. The bytes are those of replay/snapshot.h (FORMAT.md,
/// "Snapshots"); to the store they are bytes.
struct SnapshotRow {
  Version version;
  std::string position;  // the position after the event of that version
  std::string marks{};   // of the moves since the snapshot before; empty: not stored

  friend bool operator==(const SnapshotRow&, const SnapshotRow&) = default;
};

/// A cache: whoever reads a snapshot compares it with the log, and can do without. Any thread.
class Snapshots {
 public:
  virtual ~Snapshots() = default;

  /// Writes a snapshot, or replaces that of the same version. Best effort: it is stored with the
  /// next transaction of the store, or by one that nobody waits for, and dropped if too many wait
  /// (limits::kStoreSnapshotsMax), if the table is not there, or if the store cannot be written.
  virtual void write(TableId table, SnapshotRow row) = 0;
  /// Drops the table's snapshots but those whose version is a multiple of `versions`, which lose
  /// their marks: what a finished game keeps. Best effort, as `write`.
  virtual void thin_out(TableId table, std::uint64_t versions) = 0;

  /// The position of the newest snapshot at `until` or before; empty when there is none. Its marks
  /// are not read. Errors: kUnavailable, kCorrupt.
  virtual boost::asio::awaitable<Expected<std::optional<SnapshotRow>>> newest_snapshot(
      TableId table, Version until) = 0;
  /// The marks of all snapshots up to `until`, in the order of versions, without positions. Errors
  /// as above.
  virtual boost::asio::awaitable<Expected<std::vector<SnapshotRow>>> snapshot_marks(
      TableId table, Version until) = 0;
};

}  // namespace tesela::store
