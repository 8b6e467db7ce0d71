// The finished analyses of games, as they are sent.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/core/ids.h"

namespace tesela::services {

/// At most limits::kAnalysesKept analyses and limits::kAnalysesKeptBytes bytes: those that were
/// asked for least recently are dropped. Any thread.
class AnalysisCache {
 public:
  using Messages = std::vector<std::string>;  // encoded
  /// Null: none is kept.
  using Kept = std::shared_ptr<const Messages>;

  [[nodiscard]] Kept find(TableId table);
  /// `analysis` is complete. One that is too large is not kept.
  void keep(TableId table, Messages analysis);

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
