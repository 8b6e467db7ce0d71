#include "server/store/sqlite/write/archive_statements.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "server/base/store_limits.h"
#include "server/store/sqlite/database/schema.h"

namespace tesela::store {
namespace {

std::unexpected<Error> not_to_pack() {
  return refuse(ErrorCode::kFenced, "This log is not to be packed, or not any more.");
}

std::int64_t number_of(LogPlace place) {
  return static_cast<std::int64_t>(place);
}

}  // namespace

ArchiveStatements::ArchiveStatements(Connection& connection)
    : state_(connection, "SELECT state IN (2, 4), log_place FROM tables WHERE id = ?1"),
      add_(connection,
           "INSERT INTO archives (table_id, format, events, bytes, hash, data)"
           " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
      set_place_(connection, "UPDATE tables SET log_place = ?2 WHERE id = ?1"),
      last_left_(connection,
                 "SELECT max(version) FROM events WHERE table_id = ?1"
                 " AND version <= (SELECT events FROM archives WHERE table_id = ?1)"),
      drop_(connection, "DELETE FROM events WHERE table_id = ?1 AND version BETWEEN ?2 AND ?3") {}

Expected<void> ArchiveStatements::expect_unpacked(TableId table) {
  bool fits = false;
  state_.bind(1, table).first_row([&](const Statement& row) {
    fits = row.number(0) != 0 && row.number(1) == number_of(LogPlace::kEvents);
  });
  if (fits) return {};
  return not_to_pack();
}

Expected<void> ArchiveStatements::add(TableId table, const archive::PackedLog& packed,
                                      Version last) {
  if (auto fits = expect_unpacked(table); !fits) return fits;
  if (last != Version{packed.events}) return not_to_pack();
  add_.bind(1, table)
      .bind(2, static_cast<std::int64_t>(packed.format))
      .bind(3, static_cast<std::int64_t>(packed.events))
      .bind(4, static_cast<std::int64_t>(packed.bytes))
      .bind_blob(5, packed.hash)
      .bind_blob(6, packed.data)
      .run();
  drop_share(table);
  return {};
}

Expected<void> ArchiveStatements::leave(TableId table) {
  if (auto fits = expect_unpacked(table); !fits) return fits;
  set_place_.bind(1, table).bind(2, number_of(LogPlace::kStays)).run();
  return {};
}

Expected<void> ArchiveStatements::drop(TableId table) {
  bool fits = false;
  state_.bind(1, table).first_row(
      [&](const Statement& row) { fits = row.number(1) == number_of(LogPlace::kBoth); });
  if (!fits) return not_to_pack();
  drop_share(table);
  return {};
}

/// From the end, so that what is left is always a prefix of the log.
void ArchiveStatements::drop_share(TableId table) {
  std::int64_t last = 0;
  last_left_.bind(1, table).first_row([&](const Statement& row) { last = row.number(0); });
  const auto share = static_cast<std::int64_t>(limits::kArchiveDropMax);
  const std::int64_t left = std::max<std::int64_t>(last - share, 0);
  drop_.bind(1, table).bind(2, left + 1).bind(3, last).run();
  const LogPlace place = left > 0 ? LogPlace::kBoth : LogPlace::kPacked;
  set_place_.bind(1, table).bind(2, number_of(place)).run();
}

}  // namespace tesela::store
