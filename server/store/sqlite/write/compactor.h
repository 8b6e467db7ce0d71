// Moves events from `recent_events` to `events`, a share with every batch (FORMAT.md, "Recent and
// compacted").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/write/event_rows.h"

namespace tesela::store {

/// The writer's thread alone.
class Compactor {
 public:
  /// The references outlive it.
  Compactor(Connection& connection, RecentEvents& recent);

  /// Compacts up to `share` events, as the first writes of a transaction. Begins a generation when
  /// enough events have gathered. Throws StorageError.
  void step(std::size_t share);
  /// The next generation begins with the events that there are, however few.
  void hurry() { hurries_ = true; }
  /// The transaction was committed.
  void commit();
  /// The transaction was rolled back: its step is repeated.
  void roll_back() { at_ = done_; }

 private:
  /// The progress of a generation: copied up to (table, entry), deleted up to before `first`.
  struct Progress {
    std::size_t table{0};
    std::size_t entry{0};
    std::int64_t first{1};
  };

  [[nodiscard]] bool dropped() const { return at_.first > last_; }
  void begin_generation();
  void copy(std::size_t share);
  void drop(std::size_t share);

  RecentEvents& recent_;
  Statement first_and_last_;
  EventRows compacted_;
  Statement drop_;
  std::vector<TableId> tables_;  // of the generation, in order
  std::int64_t last_{0};         // of the generation in `recent_events`
  bool hurries_{false};
  Progress done_;  // committed
  Progress at_;    // in this transaction
};

}  // namespace tesela::store
