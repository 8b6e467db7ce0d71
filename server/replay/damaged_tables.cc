#include "server/replay/damaged_tables.h"

#include <spdlog/spdlog.h>

#include "server/base/text_encoding.h"

namespace tesela::replay {

void DamagedTables::note(TableId table, const Error& error) {
  if (error.code != ErrorCode::kCorrupt) return;
  const std::scoped_lock lock(mutex_);
  if (tables_.size() == kDamagedTablesMax || !tables_.insert(table).second) return;
  last_.insert(last_.begin(), table);
  if (last_.size() > kDamagedTablesNamed) last_.pop_back();
  count_.Set(static_cast<double>(tables_.size()));
  spdlog::error("table {} is damaged: {}", base::to_text(table), error.message);
}

std::size_t DamagedTables::count() const {
  const std::scoped_lock lock(mutex_);
  return tables_.size();
}

std::vector<TableId> DamagedTables::last() const {
  const std::scoped_lock lock(mutex_);
  return last_;
}

}  // namespace tesela::replay
