// Counts live tables in the quotas of their owners and seated players.
#pragma once

#include <algorithm>
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
#include "server/store/table_rows.h"

namespace tesela::directory {

/// What one player holds for one table.
using SlotsPtr = std::shared_ptr<quota::Slots>;

/// The slots of one table: those of its owner, and of the players who sit there.
using TableSlots = std::vector<std::pair<PlayerId, SlotsPtr>>;

/// A table holds its slots until its game is over, it is closed, or it is unloaded; those of a
/// player who is not the owner, no longer than the player sits there. A table that was never loaded
/// holds them for `unopened_max`. Any thread.
class LiveTables {
 public:
  /// `unopened_max`: how long a table counts to which no client connects.
  explicit LiveTables(std::chrono::milliseconds unopened_max) : unopened_max_(unopened_max) {}

  /// Takes the slots of one more table. Errors: those of AdmissionControl::hold.
  [[nodiscard]] Expected<SlotsPtr> hold(quota::AdmissionControl& admission,
                                        const quota::QuotaPtr& from, PlayerId player);
  /// The table was created with these slots.
  void add(TableId table, TableSlots slots);
  /// Whether the player holds slots for the table.
  [[nodiscard]] bool counts(TableId table, PlayerId player);
  /// A player has sat down at a table that is loaded. Without effect if the table counts for them.
  void sat_down(TableId table, PlayerId player, SlotsPtr slots);
  /// The row of a live table has changed: gives back the slots of players who have left it.
  void changed(const store::TableRow& row);
  /// A guest was merged into an account, which holds the guest's slots from now on.
  void merged(PlayerId guest, PlayerId account);
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

    [[nodiscard]] bool holds(PlayerId player) const {
      return std::ranges::find(slots, player, &TableSlots::value_type::first) != slots.end();
    }
  };

  void drop_unopened(Time now);

  const std::chrono::milliseconds unopened_max_;
  std::mutex mutex_;
  std::unordered_map<TableId, Live> live_;         // under the mutex
  std::deque<std::pair<Time, TableId>> unopened_;  // by expiry; under the mutex
};

}  // namespace tesela::directory
