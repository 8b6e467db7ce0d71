#include "server/store/sqlite/read/queries.h"

#include <algorithm>
#include <cstdint>

#include "server/store/game_archives.h"
#include "server/store/refusals.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/schema.h"

namespace tesela::store {

using sql::StoredLog;

Queries::Queries(const std::filesystem::path& database, const RecentEvents& recent,
                 StoreHealth& health)
    : recent_(recent),
      health_(health),
      connection_(database, Connection::Access::kReadOnly),
      session_(connection_, recent),
      log_place_(connection_, "SELECT log_place FROM tables WHERE id = ?1"),
      packed_(connection_,
              "SELECT format, events, bytes, hash, data FROM archives WHERE table_id = ?1"),
      events_(connection_,
              "SELECT version, record FROM events WHERE table_id = ?1 AND version >= ?2"
              " ORDER BY version LIMIT ?3"),
      last_event_(connection_,
                  "SELECT version, record FROM events WHERE table_id = ?1"
                  " ORDER BY version DESC LIMIT 1"),
      end_(connection_,
           "SELECT max(log_end,"
           " ifnull((SELECT max(version) FROM snapshots WHERE table_id = ?1), 0),"
           " ifnull((SELECT max(version) FROM events WHERE table_id = ?1), 0))"
           " FROM tables WHERE id = ?1") {
  tune_reader(connection_);
}

Error Queries::failed(const StorageError& error) {
  health_.read_failed(error);
  if (damaged(error)) return damaged_database().error();
  if (refuses_value(error)) {
    return {ErrorCode::kInvalidArgument, "The request holds a value that cannot be looked for."};
  }
  return {ErrorCode::kUnavailable, "The server cannot read its database now."};
}

Expected<StoredLog> Queries::read_place(TableId table) {
  std::optional<LogPlace> place;
  log_place_.bind(1, table).first_row(
      [&](sql::Row row) { place = row.one_of(0, LogPlace::kEvents, LogPlace::kStays); });
  if (!place) return no_such_table();
  StoredLog stored;
  if (*place != LogPlace::kBoth && *place != LogPlace::kPacked) return stored;
  packed_.bind(1, table).first_row(
      [&](sql::Row row) { stored.packed = sql::packed_log_of(row, 0); });
  if (!stored.packed) return refuse(ErrorCode::kCorrupt, "The table's packed log is missing.");
  return stored;
}

Version Queries::end_of(TableId table) {
  Version end;
  end_.bind(1, table).first_row([&](sql::Row row) { end = row.id<Version>(0); });
  return end;
}

Expected<std::vector<Entry>> Queries::events(TableId table, Version from, std::size_t max) {
  Version end_before;
  while (true) {
    // Memory first: see RecentEvents::since.
    auto recent = recent_.since(table, from, max);
    auto stored = at_one_moment<StoredLog>([&]() -> Expected<StoredLog> {
      auto found = read_place(table);
      if (!found) return found;
      const Version begin = std::max(from, next(found->packed_until()));
      events_.bind(1, table).bind(2, begin).bind(3, static_cast<std::int64_t>(max));
      events_.each_row(
          [&](sql::Row row) { found->events.push_back(Entry{row.id<Version>(0), row.text(1)}); });
      if (found->events.size() < max) found->end = end_of(table);
      return found;
    });
    if (!stored) return std::unexpected(std::move(stored.error()));

    sql::LogPage page(from, max);
    // After the transaction: while one is open, the write-ahead log cannot begin anew.
    auto added = page.add(*stored);
    if (added) added = page.add(std::move(recent));
    if (!added) return std::unexpected(std::move(added.error()));
    if (!page.ends_before(stored->end)) return page.take();
    if (stored->end == end_before) return sql::missing_from_log(page.next_version());
    end_before = stored->end;
    if (auto shown = events_shown(); !shown) return std::unexpected(shown.error());
  }
}

Expected<std::optional<Entry>> Queries::last_event(TableId table) {
  Version end_before;
  while (true) {
    // Memory first: see RecentEvents::since.
    auto recent = recent_.last(table);
    auto stored = at_one_moment<StoredLog>([&]() -> Expected<StoredLog> {
      auto found = read_place(table);
      if (!found || recent) return found;
      last_event_.bind(1, table).first_row([&](sql::Row row) {
        const auto version = row.id<Version>(0);
        if (version > found->packed_until()) found->events.push_back(Entry{version, row.text(1)});
      });
      found->end = end_of(table);
      return found;
    });
    if (!stored) return std::unexpected(std::move(stored.error()));
    if (recent) return recent;
    auto last = stored->take_last();
    if (!last) return last;
    const Version found = *last ? (*last)->version : Version{};
    if (found >= stored->end) return last;
    if (stored->end == end_before) return sql::missing_from_log(next(found));
    end_before = stored->end;
    if (auto shown = events_shown(); !shown) return std::unexpected(shown.error());
  }
}

/// A row may tell of events that are not in memory yet: returns when those of this moment are.
Expected<void> Queries::events_shown() {
  return at_one_moment<void>([&]() -> Expected<void> {
    session_.wait_for_events();
    return {};
  });
}

}  // namespace tesela::store
