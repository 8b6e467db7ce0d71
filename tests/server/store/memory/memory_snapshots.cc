#include "tests/server/store/memory/memory_snapshots.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <iterator>
#include <utility>

namespace tesela::store {

using boost::asio::awaitable;

void MemorySnapshots::write(TableId table, SnapshotRow row) {
  const std::scoped_lock lock(mutex_);
  const Version version = row.version;
  tables_[table].insert_or_assign(version, std::move(row));
}

void MemorySnapshots::thin_out(TableId table, std::uint64_t versions) {
  const std::scoped_lock lock(mutex_);
  auto& rows = tables_[table];
  std::erase_if(rows, [&](const auto& one) { return one.first.value % versions != 0; });
  for (auto& [version, row] : rows) row.marks.clear();
}

awaitable<Expected<std::optional<SnapshotRow>>> MemorySnapshots::newest_snapshot(TableId table,
                                                                                 Version until) {
  // Resumes the caller by a post, as a store with a disk does.
  co_await boost::asio::post(boost::asio::use_awaitable);
  const auto rows = snapshots(table);
  const auto after = std::ranges::upper_bound(rows, until, {}, &SnapshotRow::version);
  if (after == rows.begin()) co_return std::nullopt;
  SnapshotRow newest = *std::prev(after);
  newest.marks.clear();
  co_return newest;
}

awaitable<Expected<std::vector<SnapshotRow>>> MemorySnapshots::snapshot_marks(TableId table,
                                                                              Version until) {
  co_await boost::asio::post(boost::asio::use_awaitable);
  std::vector<SnapshotRow> rows = snapshots(table);
  std::erase_if(rows,
                [&](const SnapshotRow& row) { return row.version > until || row.marks.empty(); });
  for (SnapshotRow& row : rows) row.position.clear();
  co_return rows;
}

std::vector<SnapshotRow> MemorySnapshots::snapshots(TableId table) const {
  const std::scoped_lock lock(mutex_);
  std::vector<SnapshotRow> rows;
  const auto found = tables_.find(table);
  if (found == tables_.end()) return rows;
  for (const auto& [version, row] : found->second) rows.push_back(row);
  return rows;
}

void MemorySnapshots::set_snapshots(TableId table, const std::vector<SnapshotRow>& rows) {
  const std::scoped_lock lock(mutex_);
  auto& stored = tables_[table];
  stored.clear();
  for (const SnapshotRow& row : rows) stored.emplace(row.version, row);
}

}  // namespace tesela::store
