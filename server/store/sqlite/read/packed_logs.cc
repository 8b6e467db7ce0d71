#include "server/store/sqlite/read/packed_logs.h"

#include "server/base/store_limits.h"
#include "server/store/sqlite/database/schema.h"

namespace tesela::store {

namespace {

std::unexpected<Error> no_packed_log() {
  return refuse(ErrorCode::kCorrupt, "The table's packed log is missing.");
}

}  // namespace

// The index is named: where there are statistics of old, SQLite might prefer another.
PackedLogs::PackedLogs(Connection& connection)
    : packed_(connection,
              "SELECT format, events, bytes, hash, data FROM archives WHERE table_id = ?1"),
      due_(connection,
           "SELECT id, log_place FROM tables INDEXED BY tables_to_archive"
           " WHERE ended_ms < ?1 AND log_place < 2 ORDER BY ended_ms, id LIMIT ?2"),
      last_version_(connection, "SELECT max(version) FROM events WHERE table_id = ?1"),
      end_(connection,
           "SELECT max(log_end,"
           " ifnull((SELECT max(version) FROM snapshots WHERE table_id = ?1), 0),"
           " ifnull((SELECT max(version) FROM events WHERE table_id = ?1), 0))"
           " FROM tables WHERE id = ?1"),
      backlog_(connection,
               "SELECT count(*) FROM (SELECT 1 FROM tables INDEXED BY tables_to_archive"
               " WHERE ended_ms < ?1 AND log_place < 2 LIMIT ?2)") {}

Expected<archive::PackedLog> PackedLogs::packed(TableId table) {
  archive::PackedLog log;
  const bool found = packed_.bind(1, table).first_row([&](const Statement& row) {
    log = {.format = static_cast<archive::PackedFormat>(row.small<std::uint8_t>(0)),
           .events = static_cast<std::uint64_t>(row.number(1)),
           .bytes = static_cast<std::uint64_t>(row.number(2)),
           .hash = row.blob(3),
           .data = row.blob(4)};
  });
  if (!found) return no_packed_log();
  return log;
}

Version PackedLogs::last_version(TableId table) {
  Version last;
  last_version_.bind(1, table).first_row([&](const Statement& row) { last = row.id<Version>(0); });
  return last;
}

Version PackedLogs::end(TableId table) {
  Version end;
  end_.bind(1, table).first_row([&](const Statement& row) { end = row.id<Version>(0); });
  return end;
}

PackedLogs::Tasks PackedLogs::tasks(const RecentEvents& recent, std::int64_t ended_before_ms,
                                    std::size_t max) {
  Tasks found;
  auto& tasks = found.tasks;
  due_.bind(1, ended_before_ms).bind(2, static_cast<std::int64_t>(limits::kArchiveLooksMax));
  due_.each_row([&](const Statement& row) {
    const auto table = row.id<TableId>(0);
    if (tasks.size() == max) return;
    if (recent.last(table)) {
      found.left_out = true;
      return;
    }
    const bool is_packed = static_cast<LogPlace>(row.number(1)) == LogPlace::kBoth;
    tasks.push_back({.table = table, .events = 0, .packed = is_packed});
  });
  for (ArchiveTask& task : tasks) {
    task.events = last_version(task.table).value;
  }
  return found;
}

std::uint64_t PackedLogs::backlog(std::int64_t ended_before_ms) {
  std::uint64_t count = 0;
  backlog_.bind(1, ended_before_ms)
      .bind(2, static_cast<std::int64_t>(limits::kArchiveBacklogMax))
      .first_row([&](const Statement& row) { count = static_cast<std::uint64_t>(row.number(0)); });
  return count;
}

}  // namespace tesela::store
