#include "server/store/postgres/read/packed_logs.h"

#include <utility>

#include "server/base/store_limits.h"
#include "server/store/postgres/read/queries.h"
#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr const char* kLog =
    "SELECT h.version, t.log_place, a.format, a.events, a.bytes, a.hash, a.data"
    " FROM heads h JOIN tables t ON t.id = $1"
    " LEFT JOIN archives a ON a.table_id = $1 WHERE h.table_id = $1";
// A prefix of a packed log may still be there.
constexpr const char* kUnpackedEvents =
    "SELECT version, record FROM events WHERE table_id = $1 AND version >= greatest($2,"
    " (SELECT a.events + 1 FROM archives a WHERE a.table_id = $1)) ORDER BY version LIMIT $3";
constexpr const char* kNewestEvent =
    "SELECT version, record FROM events WHERE table_id = $1 AND version > coalesce("
    " (SELECT a.events FROM archives a WHERE a.table_id = $1), 0) ORDER BY version DESC LIMIT 1";
constexpr const char* kToArchive =
    "SELECT id, log_place, coalesce((SELECT max(version) FROM events WHERE table_id = id), 0)"
    " FROM tables WHERE ended_ms IS NOT NULL AND log_place < 2 AND ended_ms < $1"
    " ORDER BY ended_ms, id LIMIT $2";
constexpr const char* kBacklog =
    "SELECT count(*) FROM (SELECT FROM tables WHERE ended_ms IS NOT NULL AND log_place < 2"
    " AND ended_ms < $1 LIMIT $2) AS waiting";

/// Of the row of kLog.
Expected<StoredLog> stored_log_of(const Result& row) {
  StoredLog log{.last = row.id<Version>(0, 0)};
  const auto place = row.one_of(0, 1, LogPlace::kEvents, LogPlace::kStays);
  if (place != LogPlace::kBoth && place != LogPlace::kPacked) return log;
  if (row.null(0, 2)) return refuse(ErrorCode::kCorrupt, "The table's packed log is missing.");
  log.packed = {.format = static_cast<archive::PackedFormat>(row.small<std::uint8_t>(0, 2)),
                .events = row.id<Version>(0, 3).value,
                .bytes = static_cast<std::uint64_t>(row.number(0, 4)),
                .hash = row.text(0, 5),
                .data = row.text(0, 6)};
  return log;
}

}  // namespace

awaitable<Expected<StoredLog>> stored_log(Attempt& attempt, TableId table, LogPart part) {
  Pipeline pipeline;
  pipeline.add(kBeginReading);
  pipeline.add(kLog).id(table);
  if (part.newest) {
    pipeline.add(kNewestEvent).id(table);
  } else {
    const auto max = static_cast<std::int64_t>(part.max);
    pipeline.add(kUnpackedEvents).id(table).id(part.from).number(max);
  }
  pipeline.add(kCommit);
  const auto results = co_await attempt.run(std::move(pipeline));
  if (results[1].rows() == 0) co_return no_such_table();
  auto log = stored_log_of(results[1]);
  if (!log) co_return log;
  for (int row = 0; row < results[2].rows(); ++row) {
    log->events.push_back({results[2].id<Version>(row, 0), results[2].text(row, 1)});
  }
  co_return log;
}

awaitable<Expected<std::vector<ArchiveTask>>> archive_tasks(Attempt& attempt,
                                                            std::int64_t ended_before_ms,
                                                            std::size_t max) {
  Pipeline pipeline;
  pipeline.add(kToArchive).number(ended_before_ms).number(static_cast<std::int64_t>(max));
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results.front();
  std::vector<ArchiveTask> tasks;
  for (int row = 0; row < rows.rows(); ++row) {
    const bool is_packed = static_cast<LogPlace>(rows.number(row, 1)) == LogPlace::kBoth;
    tasks.push_back({.table = rows.id<TableId>(row, 0),
                     .events = static_cast<std::uint64_t>(rows.number(row, 2)),
                     .packed = is_packed});
  }
  co_return tasks;
}

awaitable<Expected<std::uint64_t>> archive_backlog(Attempt& attempt, std::int64_t ended_before_ms) {
  Pipeline pipeline;
  const auto max = static_cast<std::int64_t>(limits::kArchiveBacklogMax);
  pipeline.add(kBacklog).number(ended_before_ms).number(max);
  const auto results = co_await attempt.run(std::move(pipeline));
  co_return static_cast<std::uint64_t>(results.front().number(0, 0));
}

}  // namespace tesela::store::postgres
