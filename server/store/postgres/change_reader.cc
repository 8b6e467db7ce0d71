#include "server/store/postgres/change_reader.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/base/postgres_limits.h"
#include "server/store/postgres/connection/binary.h"
#include "server/store/sql/tables.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

/// The number of no store.
constexpr std::int64_t kNobody = -1;

// --- Reads

// now() is the beginning of the transaction, before its snapshot. Whatever was trimmed is over in
// one of the moments that are older than kChangesKept: it was over at `since` too, unless that is
// earlier.
constexpr const char* kMomentNow =
    "SELECT pg_current_snapshot()::text, (extract(epoch FROM now()) * 1000000)::bigint,"
    " left(pg_walfile_name(pg_current_wal_lsn()), 8),"
    " EXISTS (SELECT 1 FROM change_moments"
    "  WHERE at < clock_timestamp() - $1::bigint * interval '1 millisecond'"
    "  AND (extract(epoch FROM at) * 1000000)::bigint > $2)";
// What is over now and was not over then: each change comes with the first snapshot that sees its
// transaction, and no other one waits for it. A number of a transaction that is still to come
// stands there where the database was filled from a dump.
constexpr const char* kChangedSince =
    "SELECT table_id, count(*),"
    " (extract(epoch FROM clock_timestamp() - min(at)) * 1000)::bigint FROM changes"
    " WHERE xid >= pg_snapshot_xmin($1::text::pg_snapshot)"
    " AND xid < pg_snapshot_xmax(pg_current_snapshot())"
    " AND NOT pg_visible_in_snapshot(xid, $1::text::pg_snapshot)"
    " GROUP BY table_id HAVING bool_or(writer <> $2 OR table_id = ANY($3))"
    " ORDER BY max(seq) LIMIT $4";

/// One of the answers of kChangedSince.
struct Changed {
  TableId table;
  std::int64_t changes;
};

std::vector<Changed> changed_of(const Rows& rows) {
  return rows.map(
      [](Row row) { return Changed{.table = row.id<TableId>(0), .changes = row.number(1)}; });
}

milliseconds age_of(const Rows& rows) {
  std::int64_t age_ms = 0;
  for (const Row row : rows) age_ms = std::max(age_ms, row.number(2));
  return milliseconds{age_ms};
}

/// The rows of these tables, in the same transaction. One that was deleted is left out.
awaitable<void> read_rows(Attempt& attempt, const std::vector<Changed>& changed,
                          std::vector<ChangedTable>& tables) {
  for (std::size_t begin = 0; begin < changed.size(); begin += limits::kChangedRowsAtOnce) {
    const std::size_t end = std::min(begin + limits::kChangedRowsAtOnce, changed.size());
    std::vector<TableId> ids;
    for (std::size_t i = begin; i < end; ++i) ids.push_back(changed[i].table);
    Batch batch;
    sql::add_tables(batch, ids);
    const auto results = co_await attempt.run(std::move(batch));
    std::unordered_map<TableId, TableRow> rows;
    for (TableRow& row : sql::tables_of(results[0], results[1])) {
      const TableId id = row.id;
      rows.emplace(id, std::move(row));
    }
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = rows.find(changed[i].table);
      if (row == rows.end()) continue;
      tables.push_back({.row = std::move(row->second), .several = changed[i].changes > 1});
    }
  }
}

/// As TableChanges::read, of the changes that `writer` has not made. Throws Failure.
awaitable<Expected<TableChangesRead>> read_changes(Attempt& attempt, const ChangesQuery& query,
                                                   std::int64_t writer) {
  const bool begins = !query.since.has_value();
  Batch look;
  look.add(kBeginReading);
  look.add(kMomentNow)
      .number(milliseconds{limits::kChangesKept}.count())
      .number(begins ? std::numeric_limits<std::int64_t>::max() : query.since->at_us);
  if (!begins) {
    look.add(kChangedSince)
        .bytes(query.since->snapshot)
        .number(writer)
        .ids(query.own_too)
        .count(limits::kChangedTablesMax + 1);
  }
  const auto looked = co_await attempt.run(std::move(look));
  TableChangesRead read;
  read.until = {.snapshot = looked[1][0].text(0),
                .at_us = looked[1][0].number(1),
                .timeline = looked[1][0].text(2)};
  read.gap = begins || looked[1][0].flag(3) || query.since->timeline != read.until.timeline;
  if (!begins) {
    const std::vector<Changed> changed = changed_of(looked[2]);
    read.count = changed.size();
    read.age = age_of(looked[2]);
    read.gap = read.gap || changed.size() > limits::kChangedTablesMax;
    if (query.rows && !read.gap) co_await read_rows(attempt, changed, read.tables);
  }
  co_await attempt.commit();
  co_return read;
}

// --- Deletes old changes (FORMAT.md, "One lobby")

// clock_timestamp() is read after the snapshot was taken. A time that another server has noted at
// the same moment is as good.
constexpr const char* kAddMoment =
    "INSERT INTO change_moments (at, snapshot) SELECT clock_timestamp(), pg_current_snapshot()"
    " WHERE NOT EXISTS (SELECT 1 FROM change_moments"
    "  WHERE at > clock_timestamp() - $1::bigint * interval '1 millisecond')"
    " ON CONFLICT DO NOTHING";
// One is kept that is old enough.
constexpr const char* kForgetMoments =
    "DELETE FROM change_moments WHERE at < (SELECT max(at) FROM change_moments"
    " WHERE at < clock_timestamp() - $1::bigint * interval '1 millisecond')";
// By the moment at which their transactions were over and not by their own times: a change that was
// made long ago may just have been committed. A moment or a change with the number of a transaction
// that is still to come is from a dump of another database.
constexpr const char* kTrimChanges =
    "WITH old AS MATERIALIZED (SELECT snapshot FROM change_moments"
    "  WHERE at < clock_timestamp() - $1::bigint * interval '1 millisecond'"
    "  AND pg_snapshot_xmax(snapshot) <= pg_snapshot_xmax(pg_current_snapshot())"
    "  ORDER BY at DESC LIMIT 1)"
    " DELETE FROM changes WHERE (xid, seq) IN (SELECT xid, seq FROM changes"
    "  WHERE xid < (SELECT pg_snapshot_xmax(snapshot) FROM old)"
    "  AND pg_visible_in_snapshot(xid, (SELECT snapshot FROM old))"
    "  ORDER BY xid, seq LIMIT $2 FOR UPDATE SKIP LOCKED)";
constexpr const char* kTrimForeign =
    "DELETE FROM changes WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())";

/// As TableChanges::trim. Throws Failure.
awaitable<Expected<std::size_t>> trim_changes(Attempt& attempt) {
  const std::int64_t kept_ms = milliseconds{limits::kChangesKept}.count();
  Batch batch;
  batch.add(kAddMoment).number(milliseconds{limits::kChangeMomentInterval}.count());
  batch.add(kForgetMoments).number(kept_ms);
  batch.add(kTrimChanges).number(kept_ms).count(limits::kChangesTrimmedAtOnce);
  batch.add(kTrimForeign);
  const auto results = co_await attempt.run(std::move(batch));
  co_return results[2].changed();
}

}  // namespace

awaitable<Expected<TableChangesRead>> ChangeReader::read(ChangesQuery query) {
  // Before the read: what becomes unknown later is found by the next one.
  const std::uint64_t unknown = health_.unknown_outcomes();
  const bool has_lost = unknown != unknown_outcomes_;
  const bool all = has_lost || steady_clock::now() < own_too_until_;
  const std::int64_t own = all ? kNobody : writer_;
  auto read = co_await reads_.run<read_changes>(std::move(query), own);
  if (!read || !has_lost) co_return read;
  unknown_outcomes_ = unknown;
  own_too_until_ = steady_clock::now() + limits::kChangesKept;
  // Reads before have passed over the write, if it was committed by then.
  read->gap = true;
  read->tables.clear();
  co_return read;
}

awaitable<Expected<std::size_t>> ChangeReader::trim() {
  return writes_.run<trim_changes>();
}

void ChangeReader::on_signal(std::function<void()> told) {
  const std::scoped_lock lock(mutex_);
  told_ = std::move(told);
}

void ChangeReader::signalled() {
  const std::scoped_lock lock(mutex_);
  if (told_) told_();
}

}  // namespace tesela::store::postgres
