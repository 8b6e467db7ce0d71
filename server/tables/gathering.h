// A table that waits: for players, to begin with bots when their time is over; for what players add
// to the dice, to begin without it.
#pragma once

#include <chrono>

#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"

namespace tesela::tables {

/// One thread: the table's.
class Gathering {
 public:
  /// Both outlive it.
  Gathering(const Position& position, TableHost& host) : position_(position), host_(host) {}

  /// The table was made, or loaded.
  void wait_for_players();
  /// The last seat may have been taken. Waits limits::kContributionTimeMax, from when that was
  /// first seen.
  void wait_for_contributions();
  /// Whether bots take the free seats when the time for players is over.
  [[nodiscard]] bool expects_bots() const;

 private:
  void start_with_bots(std::chrono::milliseconds pause);
  void begin_without_contributions(std::chrono::milliseconds pause);
  /// Queues the command; `try_again` when it cannot be queued or fails.
  void send(SeatCommand command, std::function<void()> try_again);

  const Position& position_;
  TableHost& host_;
  Alarm players_;
  Alarm contributions_;
};

}  // namespace tesela::tables
