// Logs that were unpacked, for further reads.
#pragma once

#include <cstddef>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/core/ids.h"
#include "server/archive/record_list.h"
#include "server/base/store_limits.h"

namespace tesela::store {

/// At most limits::kUnpackedLogsMax logs that take limits::kUnpackedBytesMax bytes; the last one
/// always stays, whatever it takes. A packed log never changes, but its table may be deleted, and
/// another one may have the id later (a rematch has the id that its game gives it): so a log is
/// found by the hash of its records too. Any thread.
class UnpackedLogs {
 public:
  using Log = std::shared_ptr<const archive::RecordList>;

  /// Null when it is not there. `hash`: PackedLog::hash.
  [[nodiscard]] Log find(TableId table, std::string_view hash) {
    const std::scoped_lock lock(mutex_);
    const auto place = places_.find(table);
    if (place == places_.end() || place->second->hash != hash) return nullptr;
    entries_.splice(entries_.begin(), entries_, place->second);
    return place->second->log;
  }
  void add(TableId table, std::string hash, Log log) {
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

 private:
  struct Entry {
    TableId table;
    std::string hash;
    Log log;
  };

  /// Under the lock.
  void drop(std::list<Entry>::iterator entry) {
    bytes_ -= entry->log->memory();
    places_.erase(entry->table);
    entries_.erase(entry);
  }

  std::mutex mutex_;
  std::list<Entry> entries_;  // the one that was read last is the first
  std::unordered_map<TableId, std::list<Entry>::iterator> places_;
  std::size_t bytes_{0};
};

}  // namespace tesela::store
