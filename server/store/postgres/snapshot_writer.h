// Writes stored snapshots.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <deque>

#include "server/base/loop.h"
#include "server/store/postgres/calls.h"

namespace tesela::store::postgres {

/// Writes have transactions of their own, one at a time: no move waits for them. When the store is
/// closed, what waits is written before. Any thread.
class SnapshotWriter {
 public:
  /// Everything outlives it. `open`: of the calls that close() of the store waits for.
  SnapshotWriter(base::Loop& loop, OpenCalls& open, Calls& writes)
      : loop_(loop), open_(open), writes_(writes) {}
  SnapshotWriter(const SnapshotWriter&) = delete;
  SnapshotWriter& operator=(const SnapshotWriter&) = delete;

  /// SqlStore::write_aside.
  void write(Batch change);
  /// Changes that wait or are being made.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }

 private:
  boost::asio::awaitable<void> make_changes();
  /// Makes the oldest `count` changes in one transaction that waits for no disk: a crash of the
  /// database may lose it. May run again.
  boost::asio::awaitable<Expected<void>> make(Attempt& attempt, std::size_t count);

  base::Loop& loop_;
  OpenCalls& open_;
  Calls& writes_;
  std::atomic<std::size_t> waiting_{0};
  std::deque<Batch> changes_;  // of the loop's thread, as running_
  bool running_{};
};

}  // namespace tesela::store::postgres
