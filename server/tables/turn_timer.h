// Runs the clocks of a table: starts and stops turns, lets a strategy move when the time of the
// player on turn is over, and has players told whose turn may take more than an hour.
#pragma once

#include <chrono>
#include <cstdint>

#include "server/codec/frame.h"
#include "server/store/notices.h"
#include "server/tables/bot_seats.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/members.h"

namespace tesela::tables {

/// Does nothing where the table has no clocks. One thread: the table's.
class TurnTimer {
 public:
  /// The references outlive it. `bots` move for a player whose time is over; `notices` may be null.
  TurnTimer(Position& position, Members& members, BotSeats& bots, TableHost& host,
            store::NoticeSink* notices)
      : position_(position), members_(members), bots_(bots), host_(host), notices_(notices) {}

  /// Called when a game begins or the table was loaded. The time runs once the player on turn is
  /// connected, or after limits::kClockGrace.
  void start();
  /// The player on turn has connected.
  void resume();
  /// Called after a freeze: the turn's time begins again, as after a load.
  void thaw();
  /// Called when a move is shown. If the store took longer than limits::kStoreTimeFree, that time
  /// is not charged to the next player.
  void begin_turn_as_shown();
  /// Called when the store has answered what was sent to it at `sent` and does not end the turn: a
  /// move that it has refused, a resignation, seats. Nobody can move meanwhile: if that took longer
  /// than limits::kStoreTimeFree, it is not charged to the player on turn.
  void extend_turn_since(std::chrono::steady_clock::time_point sent);
  /// (Re)starts the timer for the deadline of the seat on turn.
  void wait();

  /// Whether a clock runs.
  [[nodiscard]] bool runs() const;
  /// The Clocks frame for members. Null without clocks, and before the game begins.
  [[nodiscard]] codec::FramePtr frame() const;

 private:
  /// Of a game by days: the player is told, once a turn and whenever its end changes.
  void tell(const store::SeatRow& on_turn, std::chrono::milliseconds left);

  Position& position_;
  Members& members_;
  BotSeats& bots_;
  TableHost& host_;
  store::NoticeSink* const notices_;
  Version told_version_;
  std::int64_t told_until_ms_{};
  LazyTimer time_;
};

}  // namespace tesela::tables
