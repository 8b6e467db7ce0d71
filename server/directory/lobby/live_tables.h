// Counts live tables in the quotas of the players who made them.
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
#include "server/quota/admission_control.h"

namespace tesela::directory {

/// The slots of one table: those of its owner, or of all players who were matched there.
using TableSlots = std::vector<std::shared_ptr<quota::Slots>>;

/// A table holds its slots until its game is over, it is closed, or it is unloaded. One that was
/// never loaded holds them for `unopened_max`. Any thread.
class LiveTables {
 public:
  /// `unopened_max`: how long a table counts to which no client connects.
  explicit LiveTables(std::chrono::milliseconds unopened_max) : unopened_max_(unopened_max) {}

  /// Takes the slots of one more table. Errors: those of AdmissionControl::hold.
  [[nodiscard]] Expected<std::shared_ptr<quota::Slots>> hold(quota::AdmissionControl& admission,
                                                             const quota::QuotaPtr& from,
                                                             PlayerId player);
  /// The table was created with these slots.
  void add(TableId table, TableSlots slots);
  /// The table was loaded.
  void opened(TableId table);
  /// The table was handed over to another server, which does not count it: it holds its slots for
  /// `unopened_max`, as one that was never loaded.
  void handed_over(TableId table);
  /// The table's game is over, or it was unloaded: gives its slots back.
  void ended(TableId table);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Live {
    TableSlots slots;
    bool opened{};
  };

  void drop_unopened(Time now);

  const std::chrono::milliseconds unopened_max_;
  std::mutex mutex_;
  std::unordered_map<TableId, Live> live_;         // under the mutex
  std::deque<std::pair<Time, TableId>> unopened_;  // by expiry; under the mutex
};

}  // namespace tesela::directory
