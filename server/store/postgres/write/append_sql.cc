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
bool is_event_of(const Append& append, const Result& events, int row, Epoch owner) {
  if (events.null(row, 1)) return owner == append.epoch;
  return events.id<Epoch>(row, 1) == append.epoch && events.bytes(row, 2) == append.record;
}

}  // namespace

void add_appends(Pipeline& pipeline, std::span<const Appending* const> appends) {
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
  pipeline.add(kAppend).numbers(tables).numbers(epochs).numbers(versions).bytes_array(records);
}

std::vector<Appending*> not_stored(const Result& appended, std::span<Appending* const> appends) {
  auto stored = appended.column<std::int64_t>();
  std::ranges::sort(stored);
  std::vector<Appending*> others;
  for (Appending* each : appends) {
    if (!std::ranges::binary_search(stored, table_of(each))) others.push_back(each);
  }
  return others;
}

void add_questions(Pipeline& pipeline, std::span<Appending* const> appends) {
  std::vector<std::int64_t> tables;
  std::vector<std::int64_t> versions;
  for (const Appending* each : appends) {
    tables.push_back(table_of(each));
    versions.push_back(static_cast<std::int64_t>(each->append.version.value));
  }
  pipeline.add(kTouch).numbers(tables);
  pipeline.add(kEventsNamed).numbers(tables).numbers(versions);
}

void judge(const Result& heads, const Result& events, std::span<Appending* const> appends) {
  std::map<std::int64_t, Epoch> epochs;
  for (int row = 0; row < heads.rows(); ++row) {
    epochs.emplace(heads.number(row, 0), heads.id<Epoch>(row, 1));
  }
  std::map<std::int64_t, int> rows;
  for (int row = 0; row < events.rows(); ++row) rows.emplace(events.number(row, 0), row);
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
