#include "server/store/unpacked_logs.h"

#include <iterator>
#include <utility>

#include "server/base/store_limits.h"

namespace tesela::store {

UnpackedLogs::Log UnpackedLogs::find(TableId table, std::string_view hash) {
  const std::scoped_lock lock(mutex_);
  const auto place = places_.find(table);
  if (place == places_.end() || place->second->hash != hash) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->log;
}

void UnpackedLogs::add(TableId table, std::string hash, Log log) {
  const std::scoped_lock lock(mutex_);
  if (const auto place = places_.find(table); place != places_.end()) {
    if (place->second->hash == hash) return;
    drop(place->second);
  }
  bytes_ += log->memory();
  entries_.push_front({.table = table, .hash = std::move(hash), .log = std::move(log)});
  places_.emplace(table, entries_.begin());
  while (entries_.size() > 1 &&
         (entries_.size() > limits::kUnpackedLogsMax || bytes_ > limits::kUnpackedBytesMax)) {
    drop(std::prev(entries_.end()));
  }
}

void UnpackedLogs::drop(std::list<Entry>::iterator entry) {
  bytes_ -= entry->log->memory();
  places_.erase(entry->table);
  entries_.erase(entry);
}

}  // namespace tesela::store
