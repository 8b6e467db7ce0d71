// The waits before a game: for players, whose seats bots take after a time, and for the players'
// contributions to the dice, without which the game begins after a time.
#pragma once

#include <chrono>
#include <functional>

#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"

namespace tesela::tables {

/// One thread: the table's. Both waits end with a command in the table's inbox.
class Gathering {
 public:
  /// The references outlive it.
  Gathering(const Position& position, TableHost& host) : position_(position), host_(host) {}

  /// Starts TableOptions.bots_after_ms, if the table has it. Called when the table was made or
  /// loaded.
  void wait_for_players();
  /// Starts limits::kContributionTimeMax when all seats are taken and contributions are missing.
  /// Called after each change of the row; later calls do not extend the time.
  void wait_for_contributions();
  /// Whether bots take the free seats when the time for players is over.
  [[nodiscard]] bool expects_bots() const;
  /// Whether the game begins without further commands: with bots, or without contributions.
  [[nodiscard]] bool ends_by_itself() const;

 private:
  void start_with_bots(std::chrono::milliseconds pause);
  void begin_without_contributions(std::chrono::milliseconds pause);
  /// Queues the command. Calls `try_again` when the inbox is full or the command fails.
  void send(SeatCommand command, std::function<void()> try_again);

  const Position& position_;
  TableHost& host_;
  LazyTimer players_;
  LazyTimer contributions_;
};

}  // namespace tesela::tables
