#include "server/store/postgres/write/append_sql.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

// A row of heads is locked and moved. Under READ COMMITTED a statement that has waited for the lock
// looks at the row again, so that nothing of an earlier owner is inserted behind a claim. What
// INSERT … SELECT … WHERE epoch = … sees may be old when it inserts.
constexpr const char* kAppend =
    "WITH b AS (SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[])"
    "  AS b(table_id, epoch, version, record)),"
    " won AS (UPDATE heads h SET version = b.version FROM b WHERE h.table_id = b.table_id"
    "  AND h.epoch = b.epoch AND h.version = b.version - 1 RETURNING b.*),"
    " ins AS (INSERT INTO events (table_id, version, epoch, record)"
    "  SELECT table_id, version, epoch, record FROM won)"
    " SELECT table_id FROM won";

// Changes nothing, but waits for the lock, and its commit for the standby.
constexpr const char* kTouch =
    "UPDATE heads h SET life = h.life FROM unnest($1::bigint[]) AS b(table_id)"
    " WHERE h.table_id = b.table_id RETURNING h.table_id, h.epoch";

// A statement of its own: its snapshot is younger than what kTouch has waited for. An event that is
// packed has neither epoch nor record.
constexpr const char* kEventsNamed =
    "SELECT b.table_id, e.epoch, e.record FROM unnest($1::bigint[], $2::bigint[])"
    " AS b(table_id, version)"
    " LEFT JOIN events e ON e.table_id = b.table_id AND e.version = b.version"
    " LEFT JOIN archives a ON a.table_id = b.table_id AND a.events >= b.version"
    " WHERE e.version IS NOT NULL OR a.events IS NOT NULL";

std::int64_t table_of(const Appending* each) {
  return static_cast<std::int64_t>(each->append.table.value);
}

/// Whether the event in this row of kEventsNamed is that of an append which was sent before. While
/// `owner` is still the epoch of the append, nobody else can have appended to a log that is packed.
bool is_event_of(const Append& append, const Rows& events, std::size_t row, Epoch owner) {
  if (events[row].null(1)) return owner == append.epoch;
  return events[row].id<Epoch>(1) == append.epoch && events[row].bytes(2) == append.record;
}

}  // namespace

void add_appends(Batch& batch, std::span<const Appending* const> appends) {
  std::vector<std::int64_t> tables;
  std::vector<std::int64_t> epochs;
  std::vector<std::int64_t> versions;
  std::vector<std::string_view> records;
  for (const Appending* each : appends) {
    tables.push_back(table_of(each));
    epochs.push_back(static_cast<std::int64_t>(each->append.epoch.value));
    versions.push_back(static_cast<std::int64_t>(each->append.version.value));
    records.push_back(each->append.record);
  }
  batch.add(kAppend).numbers(tables).numbers(epochs).numbers(versions).encoded(
      binary_array(ElementType::kBytea, records));
}

std::vector<Appending*> not_stored(const Rows& appended, std::span<Appending* const> appends) {
  auto stored = appended.map([](Row row) { return row.number(0); });
  std::ranges::sort(stored);
  std::vector<Appending*> others;
  for (Appending* each : appends) {
    if (!std::ranges::binary_search(stored, table_of(each))) others.push_back(each);
  }
  return others;
}

void add_questions(Batch& batch, std::span<Appending* const> appends) {
  std::vector<std::int64_t> tables;
  std::vector<std::int64_t> versions;
  for (const Appending* each : appends) {
    tables.push_back(table_of(each));
    versions.push_back(static_cast<std::int64_t>(each->append.version.value));
  }
  batch.add(kTouch).numbers(tables);
  batch.add(kEventsNamed).numbers(tables).numbers(versions);
}

void judge(const Rows& heads, const Rows& events, std::span<Appending* const> appends) {
  std::map<std::int64_t, Epoch> epochs;
  for (const Row row : heads) {
    epochs.emplace(row.number(0), row.id<Epoch>(1));
  }
  std::map<std::int64_t, int> rows;
  for (std::size_t row = 0; row < events.size(); ++row) rows.emplace(events[row].number(0), row);
  for (Appending* each : appends) {
    const auto epoch = epochs.find(table_of(each));
    const auto event = rows.find(table_of(each));
    if (epoch == epochs.end()) {
      each->outcome = no_such_table();
    } else if (each->again && event != rows.end() &&
               is_event_of(each->append, events, event->second, epoch->second)) {
      each->outcome = {};
    } else if (epoch->second != each->append.epoch) {
      each->outcome = another_owner();
    } else {
      each->outcome = not_the_next_version();
    }
  }
}

}  // namespace tesela::store::postgres
