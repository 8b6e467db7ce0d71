// The finished analyses of games, as they are sent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "server/base/analysis_limits.h"

namespace tesela::services {

/// At most limits::kAnalysesKept analyses and limits::kAnalysesKeptBytes bytes: those that were
/// asked for least recently are dropped. Any thread.
class AnalysisCache {
 public:
  using Messages = std::vector<std::string>;  // encoded
  /// Null: none is kept.
  using Kept = std::shared_ptr<const Messages>;

  [[nodiscard]] Kept find(TableId table) {
    const std::lock_guard lock{mutex_};
    const auto found = std::ranges::find(entries_, table, &Entry::table);
    if (found == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return found->analysis;
  }
  /// `analysis` is complete. One that is too large is not kept.
  void keep(TableId table, Messages analysis) {
    std::size_t bytes = 0;
    for (const auto& message : analysis) bytes += message.size();
    if (bytes > limits::kAnalysisKeptBytes) return;
    const std::lock_guard lock{mutex_};
    // Another stream may have analysed the same game meanwhile.
    if (std::ranges::find(entries_, table, &Entry::table) != entries_.end()) return;
    entries_.push_front({.table = table,
                         .analysis = std::make_shared<const Messages>(std::move(analysis)),
                         .bytes = bytes});
    bytes_ += bytes;
    while (entries_.size() > limits::kAnalysesKept || bytes_ > limits::kAnalysesKeptBytes) {
      bytes_ -= entries_.back().bytes;
      entries_.pop_back();
    }
  }

 private:
  struct Entry {
    TableId table;
    Kept analysis;
    std::size_t bytes{};
  };

  std::mutex mutex_;
  std::list<Entry> entries_;  // from here on under the mutex; asked for most recently first
  std::size_t bytes_ = 0;
};

}  // namespace tesela::services
