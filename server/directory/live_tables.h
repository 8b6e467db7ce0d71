// The places that live tables take among those of who made them.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/quota/gate.h"

namespace tesela::directory {

/// The places of one table: of who made it, or of all who were matched there.
using TablePlaces = std::vector<std::shared_ptr<quota::Places>>;

/// A table keeps its places from when it was made until its game is over, it is closed, or it has
/// left memory. One that was never in memory keeps them for a time. Any thread.
class LiveTables {
 public:
  /// `unopened_max`: how long a table counts that nobody has come to.
  explicit LiveTables(std::chrono::milliseconds unopened_max) : unopened_max_(unopened_max) {}

  /// The places of one more table. Errors: those of Gate::hold.
  [[nodiscard]] Expected<std::shared_ptr<quota::Places>> hold(quota::Gate& gate,
                                                              const quota::AccountPtr& from,
                                                              PlayerId player);
  /// The table was made with these places.
  void add(TableId table, TablePlaces places);
  /// The table is in memory.
  void opened(TableId table);
  /// The table's game is over, or it has left memory.
  void ended(TableId table);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Live {
    TablePlaces places;
    bool opened{};
  };

  void drop_unopened(Time now);

  const std::chrono::milliseconds unopened_max_;
  std::mutex mutex_;
  std::unordered_map<TableId, Live> live_;         // under the mutex
  std::deque<std::pair<Time, TableId>> unopened_;  // until when, in that order; under the mutex
};

}  // namespace tesela::directory
