#include "server/store/postgres/write/snapshot_writes.h"

#include <utility>

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr const char* kWithoutWaiting = "SET LOCAL synchronous_commit TO off";
// Waits for a transaction that deletes the table: then nothing is inserted behind it.
constexpr const char* kWriteSnapshot =
    "INSERT INTO snapshots (table_id, version, position, marks)"
    " SELECT id, $2::bigint, $3::bytea, $4::bytea FROM tables WHERE id = $1 FOR KEY SHARE"
    " ON CONFLICT (table_id, version)"
    " DO UPDATE SET position = excluded.position, marks = excluded.marks";
constexpr const char* kDropOthers =
    "DELETE FROM snapshots WHERE table_id = $1 AND version % $2 <> 0";
constexpr const char* kDropMarks =
    "UPDATE snapshots SET marks = '' WHERE table_id = $1 AND octet_length(marks) > 0";

void add_change(Pipeline& pipeline, const WriteSnapshot& write) {
  pipeline.add(kWriteSnapshot)
      .id(write.table)
      .id(write.row.version)
      .bytes(write.row.position)
      .bytes(write.row.marks);
}

}  // namespace

void add_change(Pipeline& pipeline, const ThinOutSnapshots& thin) {
  pipeline.add(kDropOthers).id(thin.table).number(static_cast<std::int64_t>(thin.versions));
  pipeline.add(kDropMarks).id(thin.table);
}

awaitable<Expected<void>> change_snapshots(Attempt& attempt,
                                           std::span<const SnapshotChange> changes) {
  Pipeline pipeline;
  pipeline.add(kBegin);
  pipeline.add(kWithoutWaiting);
  for (const SnapshotChange& change : changes) {
    std::visit([&](const auto& one) { add_change(pipeline, one); }, change);
  }
  pipeline.add(kCommit);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
  co_return Expected<void>{};
}

}  // namespace tesela::store::postgres
