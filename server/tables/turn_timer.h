// The clocks of a table: whose time runs, who is told, and what happens when it is over.
#pragma once

#include "server/codec/frame.h"
#include "server/tables/bot_seats.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/members.h"

namespace tesela::tables {

/// Does nothing where the table has no clocks. One thread: the table's.
class TurnTimer {
 public:
  /// All outlive it. `bots` move for the player whose time is over.
  TurnTimer(Position& position, Members& members, BotSeats& bots, TableHost& host)
      : position_(position), members_(members), bots_(bots), host_(host) {}

  /// A game begins, or the table was read back: the time runs once the player on turn is there, or
  /// after limits::kClockGrace.
  void start();
  /// The player on turn is there.
  void resume();
  /// A move is shown. Nobody thinks about a position that is not: what the store took, beyond what
  /// is usual, is charged to nobody.
  void begin_turn_as_shown();
  /// Waits until the time of the seat on turn is over.
  void wait();

  /// Whether somebody's time runs.
  [[nodiscard]] bool runs() const;
  /// What members are told; none without clocks, and before the game begins.
  [[nodiscard]] codec::FramePtr frame() const;

 private:
  Position& position_;
  Members& members_;
  BotSeats& bots_;
  TableHost& host_;
  Alarm time_;
};

}  // namespace tesela::tables
