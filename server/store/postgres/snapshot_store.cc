#include "server/store/postgres/snapshot_store.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "server/base/store_limits.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;

namespace {

// As the functions of queries.h.

constexpr const char* kNewestSnapshot =
    "SELECT version, position FROM snapshots WHERE table_id = $1 AND version <= $2"
    " ORDER BY version DESC LIMIT 1";
constexpr const char* kMarks =
    "SELECT version, marks FROM snapshots WHERE table_id = $1 AND version <= $2"
    " AND octet_length(marks) > 0 ORDER BY version";

awaitable<Expected<std::optional<SnapshotRow>>> newest_snapshot(Attempt& attempt, TableId table,
                                                                Version until) {
  Pipeline pipeline;
  pipeline.add(kNewestSnapshot).id(table).id(until);
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results.front();
  std::optional<SnapshotRow> newest;
  if (rows.rows() > 0) {
    newest = SnapshotRow{.version = rows.id<Version>(0, 0), .position = rows.text(0, 1)};
  }
  co_return newest;
}

awaitable<Expected<std::vector<SnapshotRow>>> snapshot_marks(Attempt& attempt, TableId table,
                                                             Version until) {
  Pipeline pipeline;
  pipeline.add(kMarks).id(table).id(until);
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results.front();
  std::vector<SnapshotRow> marks;
  marks.reserve(static_cast<std::size_t>(rows.rows()));
  for (int row = 0; row < rows.rows(); ++row) {
    marks.push_back(
        {.version = rows.id<Version>(row, 0), .position = {}, .marks = rows.text(row, 1)});
  }
  co_return marks;
}

}  // namespace

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
