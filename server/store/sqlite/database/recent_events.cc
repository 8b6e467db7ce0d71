#include "server/store/sqlite/database/recent_events.h"

#include <algorithm>
#include <utility>

namespace tesela::store {

void RecentEvents::hide(std::int64_t newest_seq) {
  const std::scoped_lock lock(mutex_);
  hidden_ = newest_seq;
}

void RecentEvents::give_up() {
  {
    const std::scoped_lock lock(mutex_);
    hidden_.reset();
  }
  shown_.notify_all();
}

std::optional<std::int64_t> RecentEvents::hidden() const {
  const std::scoped_lock lock(mutex_);
  return hidden_;
}

void RecentEvents::wait_until_shown(std::int64_t newest_seq) const {
  std::unique_lock lock(mutex_);
  shown_.wait(lock, [&] { return hidden_ != newest_seq; });
}

void RecentEvents::add(std::vector<Committed>& events) {
  {
    const std::scoped_lock lock(mutex_);
    for (Committed& event : events) gathered_[event.table].push_back(std::move(event.entry));
    hidden_.reset();
  }
  shown_.notify_all();
  gathered_count_ += events.size();
  events.clear();
}

std::vector<Entry> RecentEvents::since(TableId table, Version from, std::size_t max) const {
  std::vector<Entry> found;
  const auto collect = [&](const Tables& tables) {
    const auto it = tables.find(table);
    if (it == tables.end()) return;
    const auto first = std::ranges::lower_bound(it->second, from, {}, &Entry::version);
    const auto count = std::min<std::size_t>(max - found.size(),
                                             static_cast<std::size_t>(it->second.end() - first));
    found.insert(found.end(), first, first + static_cast<std::ptrdiff_t>(count));
  };
  const std::scoped_lock lock(mutex_);
  collect(generation_);
  collect(gathered_);
  return found;
}

std::optional<Entry> RecentEvents::last(TableId table) const {
  const std::scoped_lock lock(mutex_);
  for (const Tables* tables : {&gathered_, &generation_}) {
    if (const auto it = tables->find(table); it != tables->end()) return it->second.back();
  }
  return std::nullopt;
}

bool RecentEvents::contains(TableId table) const {
  return gathered_.contains(table) || generation_.contains(table);
}

std::vector<TableId> RecentEvents::begin_generation() {
  {
    const std::scoped_lock lock(mutex_);
    generation_.swap(gathered_);
  }
  gathered_count_ = 0;
  std::vector<TableId> tables;
  tables.reserve(generation_.size());
  for (const auto& [table, entries] : generation_) tables.push_back(table);
  std::ranges::sort(tables);
  return tables;
}

std::span<const Entry> RecentEvents::generation(TableId table) const {
  return generation_.at(table);
}

void RecentEvents::forget(TableId table) {
  // Frees the strings without the lock.
  const auto node = [&] {
    const std::scoped_lock lock(mutex_);
    return generation_.extract(table);
  }();
}

}  // namespace tesela::store
