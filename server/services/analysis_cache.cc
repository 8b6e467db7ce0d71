#include "server/services/analysis_cache.h"

#include <algorithm>
#include <utility>

#include "server/base/analysis_limits.h"

namespace tesela::services {

AnalysisCache::Kept AnalysisCache::find(TableId table) {
  const std::lock_guard lock{mutex_};
  const auto found = std::ranges::find(entries_, table, &Entry::table);
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return found->analysis;
}

void AnalysisCache::keep(TableId table, Messages analysis) {
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

}  // namespace tesela::services
