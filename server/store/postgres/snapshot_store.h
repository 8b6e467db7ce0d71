// Stored snapshots on PostgreSQL.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "server/base/loop.h"
#include "server/store/postgres/calls.h"
#include "server/store/postgres/write/snapshot_writes.h"
#include "server/store/snapshots.h"

namespace tesela::store::postgres {

/// Writes have transactions of their own, one at a time: no move waits for them. When the store is
/// closed, what waits is written before. Any thread.
class SnapshotStore final : public Snapshots {
 public:
  /// Everything outlives it. `open`: of the calls that close() of the store waits for.
  SnapshotStore(base::Loop& loop, OpenCalls& open, Calls& reads, Calls& writes)
      : loop_(loop), open_(open), reads_(reads), writes_(writes) {}
  SnapshotStore(const SnapshotStore&) = delete;
  SnapshotStore& operator=(const SnapshotStore&) = delete;

  void write(TableId table, SnapshotRow row) override;
  void thin_out(TableId table, std::uint64_t versions) override;
  boost::asio::awaitable<Expected<std::optional<SnapshotRow>>> newest_snapshot(
      TableId table, Version until) override;
  boost::asio::awaitable<Expected<std::vector<SnapshotRow>>> snapshot_marks(TableId table,
                                                                            Version until) override;

  /// Changes that wait or are being made.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }

 private:
  void submit(SnapshotChange change);
  boost::asio::awaitable<void> make_changes();
  /// Of the oldest changes, those that share a transaction.
  std::vector<SnapshotChange> next_batch();

  base::Loop& loop_;
  OpenCalls& open_;
  Calls& reads_;
  Calls& writes_;
  std::atomic<std::size_t> waiting_{0};
  std::deque<SnapshotChange> changes_;  // of the loop's thread, as running_
  bool running_{};
};

}  // namespace tesela::store::postgres
