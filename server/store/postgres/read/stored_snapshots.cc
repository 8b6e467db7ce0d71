#include "server/store/postgres/read/stored_snapshots.h"

#include <utility>

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr const char* kNewestSnapshot =
    "SELECT version, position FROM snapshots WHERE table_id = $1 AND version <= $2"
    " ORDER BY version DESC LIMIT 1";
constexpr const char* kMarks =
    "SELECT version, marks FROM snapshots WHERE table_id = $1 AND version <= $2"
    " AND octet_length(marks) > 0 ORDER BY version";

}  // namespace

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

}  // namespace tesela::store::postgres
