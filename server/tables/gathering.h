// The waits before a game: for players, whose seats bots take after a time, for the streams of
// those who have sat down, and for the players' contributions to the dice, without which the game
// begins after a time.
#pragma once

#include <chrono>
#include <functional>

#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/attendance.h"
#include "server/tables/members/seating.h"

namespace tesela::tables {

/// One thread: the table's. Each wait ends with a command in the table's inbox.
class Gathering {
 public:
  /// The references outlive it.
  Gathering(const Position& position, const Attendance& attendance, TableHost& host)
      : position_(position), attendance_(attendance), host_(host) {}

  /// Starts TableOptions.bots_after_ms, if the table has it, the time of Attendance, and
  /// limits::kContributionTimeMax while contributions alone are missing; ends those that are not
  /// awaited any more. Called when the table was made or loaded, after each command that changes
  /// seats, and when a stream has ended; later calls do not extend a time.
  void changed();
  /// Whether bots take the free seats when the time for players is over.
  [[nodiscard]] bool expects_bots() const;
  /// Whether the table changes without further commands: the game begins with bots, or without
  /// contributions, or players lose the seat.
  [[nodiscard]] bool ends_by_itself() const;
  /// Adds the times that run.
  void add_times(LiveView& view) const;

 private:
  void start_with_bots(std::chrono::milliseconds pause);
  void begin_without_contributions(std::chrono::milliseconds pause);
  void stand_up_missing(std::chrono::milliseconds pause);
  /// Queues the command. Calls `try_again` when the inbox is full or the command fails.
  void send(SeatCommand command, std::function<void()> try_again);

  const Position& position_;
  const Attendance& attendance_;
  TableHost& host_;
  LazyTimer players_;
  LazyTimer contributions_;
  LazyTimer streams_;
  bool waits_for_players_ = false;        // its time runs
  bool waits_for_contributions_ = false;  // the same
};

}  // namespace tesela::tables
