#include "server/store/sqlite/write/compactor.h"

#include <algorithm>

#include "server/base/limits.h"

namespace tesela::store {

Compactor::Compactor(Connection& connection, RecentEvents& recent)
    : recent_(recent),
      first_and_last_(connection,
                      "SELECT (SELECT min(seq) FROM recent_events),"
                      " (SELECT max(seq) FROM recent_events)"),
      compacted_(connection, "events"),
      drop_(connection, "DELETE FROM recent_events WHERE seq BETWEEN ?1 AND ?2") {}

void Compactor::step(std::size_t share) {
  const std::size_t enough = hurries_ ? 1 : limits::kStoreRecentMax;
  if (dropped() && recent_.gathered() >= enough) begin_generation();
  if (at_.table < tables_.size()) {
    copy(share);
  } else if (!dropped()) {
    drop(share);
  }
}

void Compactor::commit() {
  for (std::size_t i = done_.table; i < at_.table; ++i) recent_.forget(tables_[i]);
  done_ = at_;
}

void Compactor::begin_generation() {
  // The transaction has not written yet, so the table has exactly the gathered events.
  first_and_last_.first_row([&](sql::Row row) {
    done_ = at_ = Progress{.table = 0, .entry = 0, .first = row.number(0)};
    last_ = row.number(1);
  });
  tables_ = recent_.begin_generation();
  hurries_ = false;
}

void Compactor::copy(std::size_t share) {
  while (share > 0 && at_.table < tables_.size()) {
    const TableId table = tables_[at_.table];
    const auto entries = recent_.generation(table).subspan(at_.entry);
    const std::size_t count = std::min(share, entries.size());
    compacted_.insert(count, [&](std::size_t i) {
      return EventRows::Row{table, entries[i].version, entries[i].record};
    });
    share -= count;
    at_.entry += count;
    if (count == entries.size()) {
      ++at_.table;
      at_.entry = 0;
    }
  }
}

void Compactor::drop(std::size_t share) {
  // Twice as fast as copying, so that no more events gather meanwhile than the generation has.
  const auto rows = static_cast<std::int64_t>(2 * share);
  // By number, not the first rows: the numbers of an empty table begin again.
  const std::int64_t last = std::min(last_, at_.first + rows - 1);
  drop_.bind(1, at_.first).bind(2, last).run();
  at_.first = last + 1;
}

}  // namespace tesela::store
