#include "server/store/postgres/snapshot_writer.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <utility>

#include "server/base/store_limits.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;

void SnapshotWriter::write(Batch change) {
  if (waiting_ >= limits::kStoreSnapshotsMax || !open_.begin()) return;
  ++waiting_;
  loop_.hand_over([this, change = std::move(change)]() mutable {
    changes_.push_back(std::move(change));
    if (running_) return;
    running_ = true;
    boost::asio::co_spawn(loop_, make_changes(), boost::asio::detached);
  });
}

awaitable<void> SnapshotWriter::make_changes() {
  while (!changes_.empty()) {
    const std::size_t count = std::min(changes_.size(), limits::kStoreBatchSnapshotsMax);
    const auto work = [this, count](Attempt& attempt) { return make(attempt, count); };
    // What cannot be written is dropped.
    static_cast<void>(co_await writes_.run_counted<void>(work));
    changes_.erase(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(count));
    waiting_ -= count;
    open_.end(count);
  }
  running_ = false;
}

awaitable<Expected<void>> SnapshotWriter::make(Attempt& attempt, std::size_t count) {
  Batch batch;
  batch.add(kBegin);
  batch.add("SET LOCAL synchronous_commit TO off");
  for (std::size_t i = 0; i < count; ++i) batch.append(changes_[i]);
  batch.add(kCommit);
  static_cast<void>(co_await attempt.run(std::move(batch)));
  co_return Expected<void>{};
}

}  // namespace tesela::store::postgres
