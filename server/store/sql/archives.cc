#include "server/store/sql/archives.h"

#include <string>
#include <utility>

#include "server/base/store_limits.h"
#include "server/store/refusals.h"
#include "server/store/sql/session/idempotent.h"
#include "server/store/sql/snapshots.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

// SQLite is told the index: where there are statistics of old, it might prefer another.
constexpr Text kToArchive{
    "SELECT id, log_place FROM tables WHERE ended_ms IS NOT NULL AND log_place < 2 AND ended_ms < "
    "$1"
    " ORDER BY ended_ms, id LIMIT $2",
    "SELECT id, log_place FROM tables INDEXED BY tables_to_archive WHERE log_place < 2 AND "
    "ended_ms < $1"
    " ORDER BY ended_ms, id LIMIT $2"};
constexpr Text kLastEvent{"SELECT max(version) FROM events WHERE table_id = $1"};
constexpr Text kBacklog{
    "SELECT count(*) FROM (SELECT 1 FROM tables WHERE ended_ms IS NOT NULL AND log_place < 2"
    " AND ended_ms < $1 LIMIT $2) AS waiting",
    "SELECT count(*) FROM (SELECT 1 FROM tables INDEXED BY tables_to_archive WHERE log_place < 2"
    " AND ended_ms < $1 LIMIT $2)"};

// Statements behind it see what was committed until it had the lock.
constexpr Text kLock{
    "SELECT state IN (2, 4), log_place FROM tables WHERE id = $1 FOR NO KEY UPDATE"};
constexpr Text kStoredLog{
    "SELECT h.version, a.events, a.hash FROM heads h LEFT JOIN archives a"
    " ON a.table_id = h.table_id WHERE h.table_id = $1",
    "SELECT max(coalesce(a.events, 0),"
    " coalesce((SELECT max(version) FROM events WHERE table_id = t.id), 0)), a.events, a.hash"
    " FROM tables t LEFT JOIN archives a ON a.table_id = t.id WHERE t.id = $1"};
constexpr Text kAdd{
    "INSERT INTO archives (table_id, format, events, bytes, hash, data)"
    " VALUES ($1, $2, $3, $4, $5, $6)"};
constexpr Text kSetPlace{"UPDATE tables SET log_place = $2 WHERE id = $1"};
// From the end, so that what is left is always a prefix of the log.
constexpr Text kDropShare{
    "DELETE FROM events WHERE table_id = $1"
    " AND version <= (SELECT events FROM archives WHERE table_id = $1)"
    " AND version > (SELECT coalesce(max(version), 0) - $2::bigint FROM events WHERE table_id = $1"
    "  AND version <= (SELECT events FROM archives WHERE table_id = $1))"};
constexpr Text kSetPlaceOfRest{
    "UPDATE tables SET log_place = CASE WHEN EXISTS (SELECT 1 FROM events WHERE table_id = $1"
    " AND version <= (SELECT events FROM archives WHERE table_id = $1)) THEN 1 ELSE 2 END"
    " WHERE id = $1"};

std::unexpected<Error> not_to_pack() {
  return refuse(ErrorCode::kFenced, "This log is not to be packed, or not any more.");
}

/// Where the log is, under the lock.
struct Locked {
  bool has_ended{};
  LogPlace place{};
  Version last;          // of all events
  Version packed_until;  // 0: no packed log
  std::string hash{};    // of the packed log
};

awaitable<Expected<Locked>> lock(WriteSession& session, TableId table) {
  Batch batch;
  batch.add(kLock).id(table);
  batch.add(kStoredLog).id(table);
  const auto answers = co_await session.run(std::move(batch));
  if (answers[0].empty() || answers[1].empty()) co_return no_such_table();
  const Row row = answers[0][0];
  const Row log = answers[1][0];
  co_return Locked{.has_ended = row.flag(0),
                   .place = row.one_of(1, LogPlace::kEvents, LogPlace::kStays),
                   .last = log.id<Version>(0),
                   .packed_until = log.null(1) ? Version{} : log.id<Version>(1),
                   .hash = log.text(2)};
}

/// Ends without a change. `done`: it is as an earlier try would have left it.
awaitable<Expected<void>> end_unchanged(WriteSession& session, bool done) {
  if (!done || !session.again()) co_return not_to_pack();
  co_await confirm(session);
  co_return Expected<void>{};
}

void add_drop(Batch& batch, TableId table) {
  batch.add(kDropShare).id(table).count(limits::kArchiveDropMax);
  batch.add(kSetPlaceOfRest).id(table);
}

}  // namespace

awaitable<Expected<DueLogs>> archive_tasks(Session& session, std::int64_t ended_before_ms,
                                           std::size_t max) {
  // On SQLite some are passed over.
  const std::size_t looks = session.dialect() == Dialect::kSqlite ? limits::kArchiveLooksMax : max;
  const auto listed = co_await session.run(Query(kToArchive).number(ended_before_ms).count(looks));
  DueLogs due;
  Batch events;
  for (const Row row : listed) {
    if (due.tasks.size() == max) break;
    const auto table = row.id<TableId>(0);
    if (session.has_recent_events(table)) {
      due.left_out = true;
      continue;
    }
    const bool is_packed = static_cast<LogPlace>(row.number(1)) == LogPlace::kBoth;
    due.tasks.push_back({.table = table, .events = 0, .packed = is_packed});
    events.add(kLastEvent).id(table);
  }
  const auto last = co_await session.finish(std::move(events));
  for (std::size_t i = 0; i < due.tasks.size(); ++i) {
    if (!last[i][0].null(0)) due.tasks[i].events = last[i][0].id<Version>(0).value;
  }
  co_return due;
}

awaitable<Expected<std::uint64_t>> archive_backlog(Session& session, std::int64_t ended_before_ms) {
  const auto rows = co_await session.finish(
      Query(kBacklog).number(ended_before_ms).count(limits::kArchiveBacklogMax));
  co_return static_cast<std::uint64_t>(rows[0].number(0));
}

awaitable<Expected<void>> archive(WriteSession& session, TableId table,
                                  const std::optional<archive::PackedLog>& packed,
                                  std::uint64_t snapshots_apart) {
  const auto locked = co_await lock(session, table);
  if (!locked) co_return std::unexpected(locked.error());
  if (session.has_recent_events(table)) co_return not_compacted();
  const bool is_unpacked = locked->has_ended && locked->place == LogPlace::kEvents;
  if (!is_unpacked || (packed && locked->last != Version{packed->events})) {
    const bool is_same =
        packed ? locked->packed_until == Version{packed->events} && locked->hash == packed->hash
               : locked->place == LogPlace::kStays;
    co_return co_await end_unchanged(session, is_same);
  }
  Batch batch;
  if (packed) {
    batch.add(kAdd)
        .id(table)
        .one_of(packed->format)
        .count(packed->events)
        .count(packed->bytes)
        .bytes(packed->hash)
        .bytes(packed->data);
    add_drop(batch, table);
  } else {
    batch.add(kSetPlace).id(table).one_of(LogPlace::kStays);
  }
  if (snapshots_apart != 0) batch.append(thin_out_snapshots(table, snapshots_apart));
  co_return co_await session.commit(std::move(batch));
}

awaitable<Expected<void>> drop_packed(WriteSession& session, TableId table) {
  const auto locked = co_await lock(session, table);
  if (!locked) co_return std::unexpected(locked.error());
  if (locked->place != LogPlace::kBoth) {
    co_return co_await end_unchanged(session, locked->place == LogPlace::kPacked);
  }
  Batch batch;
  add_drop(batch, table);
  co_return co_await session.commit(std::move(batch));
}

}  // namespace tesela::store::sql
