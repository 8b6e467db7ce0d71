#include "server/store/postgres/snapshot_store.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <iterator>
#include <utility>

#include "server/base/store_limits.h"
#include "server/store/postgres/read/stored_snapshots.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;

void SnapshotStore::write(TableId table, SnapshotRow row) {
  submit(WriteSnapshot{table, std::move(row)});
}

void SnapshotStore::thin_out(TableId table, std::uint64_t versions) {
  submit(ThinOutSnapshots{table, versions});
}

awaitable<Expected<std::optional<SnapshotRow>>> SnapshotStore::newest_snapshot(TableId table,
                                                                               Version until) {
  return reads_.run<std::optional<SnapshotRow>>(
      [=](Attempt& attempt) { return postgres::newest_snapshot(attempt, table, until); });
}

awaitable<Expected<std::vector<SnapshotRow>>> SnapshotStore::snapshot_marks(TableId table,
                                                                            Version until) {
  return reads_.run<std::vector<SnapshotRow>>(
      [=](Attempt& attempt) { return postgres::snapshot_marks(attempt, table, until); });
}

void SnapshotStore::submit(SnapshotChange change) {
  if (waiting_ >= limits::kStoreSnapshotsMax || !open_.begin()) return;
  ++waiting_;
  loop_.hand_over([this, change = std::move(change)]() mutable {
    changes_.push_back(std::move(change));
    if (running_) return;
    running_ = true;
    boost::asio::co_spawn(loop_, make_changes(), boost::asio::detached);
  });
}

awaitable<void> SnapshotStore::make_changes() {
  while (!changes_.empty()) {
    const std::vector<SnapshotChange> batch = next_batch();
    const std::size_t size = batch.size();
    const auto work = [&batch](Attempt& attempt) { return change_snapshots(attempt, batch); };
    // What cannot be written is dropped.
    static_cast<void>(co_await writes_.run_counted<void>(work));
    waiting_ -= size;
    open_.end(size);
  }
  running_ = false;
}

std::vector<SnapshotChange> SnapshotStore::next_batch() {
  const std::size_t size = std::min(changes_.size(), limits::kStoreBatchSnapshotsMax);
  const auto end = changes_.begin() + static_cast<std::ptrdiff_t>(size);
  std::vector<SnapshotChange> batch(std::make_move_iterator(changes_.begin()),
                                    std::make_move_iterator(end));
  changes_.erase(changes_.begin(), end);
  return batch;
}

}  // namespace tesela::store::postgres
