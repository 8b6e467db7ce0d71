#include "server/store/sql/snapshots.h"

#include <utility>

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

constexpr Text kNewest{
    "SELECT version, position FROM snapshots WHERE table_id = $1 AND version <= $2"
    " ORDER BY version DESC LIMIT 1"};
constexpr Text kMarks{
    "SELECT version, marks FROM snapshots WHERE table_id = $1 AND version <= $2"
    " AND length(marks) > 0 ORDER BY version"};

// Waits for a transaction that deletes the table: then nothing is inserted behind it.
constexpr Text kWrite{
    "INSERT INTO snapshots (table_id, version, position, marks)"
    " SELECT id, $2::bigint, $3::bytea, $4::bytea FROM tables WHERE id = $1 FOR KEY SHARE"
    " ON CONFLICT (table_id, version)"
    " DO UPDATE SET position = excluded.position, marks = excluded.marks"};
constexpr Text kDropOthers{"DELETE FROM snapshots WHERE table_id = $1 AND version % $2 <> 0"};
constexpr Text kDropMarks{
    "UPDATE snapshots SET marks = $2 WHERE table_id = $1 AND length(marks) > 0"};

}  // namespace

awaitable<Expected<std::optional<SnapshotRow>>> newest_snapshot(Session& session, TableId table,
                                                                Version until) {
  const auto rows = co_await session.finish(Query(kNewest).id(table).id(until));
  std::optional<SnapshotRow> newest;
  for (const Row row : rows) {
    newest = SnapshotRow{.version = row.id<Version>(0), .position = row.text(1)};
  }
  co_return newest;
}

awaitable<Expected<std::vector<SnapshotRow>>> snapshot_marks(Session& session, TableId table,
                                                             Version until) {
  const auto rows = co_await session.finish(Query(kMarks).id(table).id(until));
  co_return rows.map([](Row row) {
    return SnapshotRow{.version = row.id<Version>(0), .position = {}, .marks = row.text(1)};
  });
}

Batch add_snapshot(TableId table, const SnapshotRow& row) {
  Batch batch;
  batch.add(kWrite).id(table).id(row.version).bytes(row.position).bytes(row.marks);
  return batch;
}

Batch thin_out_snapshots(TableId table, std::uint64_t versions) {
  Batch batch;
  batch.add(kDropOthers).id(table).count(versions);
  batch.add(kDropMarks).id(table).bytes({});
  return batch;
}

}  // namespace tesela::store::sql
