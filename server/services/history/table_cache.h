// What was made of tables at a cost, such as analyses and pictures.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "engine/core/ids.h"

namespace tesela::services {

/// At most `count_max` values and `bytes_max` bytes: those that were asked for least recently are
/// dropped. Any thread.
template <class Value>
class TableCache {
 public:
  /// Null: none is kept.
  using Kept = std::shared_ptr<const Value>;

  TableCache(std::size_t count_max, std::size_t bytes_max)
      : count_max_(count_max), bytes_max_(bytes_max) {}

  [[nodiscard]] Kept find(TableId table) {
    const std::lock_guard lock{mutex_};
    const auto found = std::ranges::find(entries_, table, &Entry::table);
    if (found == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return found->value;
  }
  /// In the place of an older value. One that is larger than a quarter of all is not kept.
  void keep(TableId table, Kept value, std::size_t bytes) {
    const std::lock_guard lock{mutex_};
    if (const auto old = std::ranges::find(entries_, table, &Entry::table); old != entries_.end()) {
      bytes_ -= old->bytes;
      entries_.erase(old);
    }
    if (bytes > bytes_max_ / 4) return;
    entries_.push_front({.table = table, .value = std::move(value), .bytes = bytes});
    bytes_ += bytes;
    while (entries_.size() > count_max_ || bytes_ > bytes_max_) {
      bytes_ -= entries_.back().bytes;
      entries_.pop_back();
    }
  }

 private:
  struct Entry {
    TableId table;
    Kept value;
    std::size_t bytes{};
  };

  const std::size_t count_max_;
  const std::size_t bytes_max_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // from here on under the mutex; asked for most recently first
  std::size_t bytes_ = 0;
};

}  // namespace tesela::services
