// The stored snapshots of MemoryStore.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "server/store/snapshots.h"

namespace tesela::store {

/// Threading: any thread. Stores at once, and for any table.
class MemorySnapshots : public Snapshots {
 public:
  void write(TableId table, SnapshotRow row) override;
  void thin_out(TableId table, std::uint64_t versions) override;
  boost::asio::awaitable<Expected<std::optional<SnapshotRow>>> newest_snapshot(
      TableId table, Version until) override;
  boost::asio::awaitable<Expected<std::vector<SnapshotRow>>> snapshot_marks(TableId table,
                                                                            Version until) override;

  /// All snapshots of a table, in order.
  [[nodiscard]] std::vector<SnapshotRow> snapshots(TableId table) const;
  /// Replaces them, as damage would.
  void set_snapshots(TableId table, const std::vector<SnapshotRow>& rows);

 private:
  mutable std::mutex mutex_;
  std::map<TableId, std::map<Version, SnapshotRow>> tables_;
};

}  // namespace tesela::store
