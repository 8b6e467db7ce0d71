#include "server/store/sqlite/read/unpacked_logs.h"

#include "server/base/archive_limits.h"

namespace tesela::store {

UnpackedLogs::Log UnpackedLogs::find(TableId table) {
  const std::scoped_lock lock(mutex_);
  const auto place = places_.find(table);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->second;
}

void UnpackedLogs::add(TableId table, Log log) {
  const std::scoped_lock lock(mutex_);
  if (places_.contains(table)) return;
  bytes_ += log->memory();
  entries_.emplace_front(table, std::move(log));
  places_.emplace(table, entries_.begin());
  while (entries_.size() > 1 &&
         (entries_.size() > limits::kUnpackedLogsMax || bytes_ > limits::kUnpackedBytesMax)) {
    bytes_ -= entries_.back().second->memory();
    places_.erase(entries_.back().first);
    entries_.pop_back();
  }
}

}  // namespace tesela::store
