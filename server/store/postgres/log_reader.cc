#include "server/store/postgres/log_reader.h"

#include <string>
#include <utility>

#include "server/store/game_archives.h"
#include "server/store/refusals.h"
#include "server/store/sql/session/log_page.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;
using sql::StoredLog;

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

/// In one state of the database. `events` has as many parameters as it needs.
awaitable<Expected<StoredLog>> stored_log(Attempt& attempt, TableId table, Query events) {
  Batch batch;
  batch.add(kBeginReading);
  batch.add(kLog).id(table);
  batch.add(std::move(events));
  batch.add(kCommit);
  const auto results = co_await attempt.run(std::move(batch));
  if (results[1].empty()) co_return no_such_table();
  const Row row = results[1][0];
  StoredLog log{.end = row.id<Version>(0)};
  const auto place = row.one_of(1, LogPlace::kEvents, LogPlace::kStays);
  if (place == LogPlace::kBoth || place == LogPlace::kPacked) {
    if (row.null(2)) co_return refuse(ErrorCode::kCorrupt, "The table's packed log is missing.");
    log.packed = sql::packed_log_of(row, 2);
  }
  for (const Row event : results[2]) log.events.push_back({event.id<Version>(0), event.text(1)});
  co_return log;
}

}  // namespace

awaitable<Expected<std::vector<Entry>>> LogReader::read(TableId table, Version from,
                                                        std::size_t max) {
  Query events(kUnpackedEvents);
  events.id(table).id(from).count(max);
  auto stored = co_await calls_.run<stored_log>(table, std::move(events));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  sql::LogPage page(from, max);
  if (auto added = page.add(*stored); !added) co_return std::unexpected(added.error());
  if (page.ends_before(stored->end)) co_return sql::missing_from_log(page.next_version());
  co_return page.take();
}

awaitable<Expected<std::optional<Entry>>> LogReader::last(TableId table) {
  Query newest(kNewestEvent);
  newest.id(table);
  auto stored = co_await calls_.run<stored_log>(table, std::move(newest));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  auto last = stored->take_last();
  if (!last) co_return last;
  const Version until = *last ? (*last)->version : Version{};
  if (until < stored->end) co_return sql::missing_from_log(next(until));
  co_return last;
}

}  // namespace tesela::store::postgres
