// Changes of a table's row: seats, the beginning of the game, and flags such as assisted.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <optional>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/replay/start_game.h"
#include "server/store/table_rows.h"
#include "server/tables/bot_search.h"
#include "server/tables/bot_seats.h"
#include "server/tables/core/position.h"
#include "server/tables/core/seat_command.h"
#include "server/tables/core/table_host.h"
#include "server/tables/gathering.h"
#include "server/tables/members/attendance.h"
#include "server/tables/members/seating.h"
#include "server/tables/newcomers.h"
#include "server/tables/table_gauge.h"
#include "server/tables/turn_timer.h"

namespace tesela::tables {

/// A change is stored before it is shown. On the table's thread; all but `ask` only while a command
/// is handled.
class SeatChanges {
 public:
  /// What it uses; the references outlive it.
  struct Parts {
    Position& position;
    Members& members;
    Attendance& attendance;
    Seating& seating;
    BotSearch& search;
    BotSeats& bots;
    TurnTimer& timer;
    Gathering& gathering;
    Newcomers& newcomers;
    TableGauge& gauge;
    TableHost& host;
    store::TableRows& table_rows;
    std::function<void(const store::TableRow&)> changed;  // called with each new row
  };

  explicit SeatChanges(Parts parts) : parts_(std::move(parts)) {}

  /// Queues the command in the table's inbox, and returns the table's row when `apply` has
  /// answered. Errors: those of `apply`, kUnavailable (the table is closing, or its inbox is full).
  boost::asio::awaitable<Expected<store::TableRow>> ask(SeatCommand command);
  /// Applies the command; the game begins when the last seat is taken. A Start that has to wait for
  /// players is applied again with each later command, so that bots take the seats of those who
  /// leave. Returns the table's row, which is durable. Errors: those of tables::apply and
  /// Attendance::may_sit, kPermissionDenied (a player whom the matchmaker has chosen is not
  /// removed), kUnauthenticated (the store does not have the player), kUnavailable (the store
  /// cannot write).
  boost::asio::awaitable<Expected<store::TableRow>> apply(const SeatCommand& command);
  /// Replaces the table's row; the game begins when the last seat is taken. Errors: those of
  /// TableRows::change_table. After one that leaves open whether the row was stored, the table
  /// ends.
  boost::asio::awaitable<Expected<void>> change(store::TableRow row);
  /// Marks the table's row as assisted, durably. Without effect where it is. Errors: those of
  /// `change`.
  boost::asio::awaitable<Expected<void>> mark_assisted();

  /// Publishes the row to `changed` and to the metrics.
  void row_changed(std::string_view end = "finished");

  /// A stream of a seated player is there: the game begins if all players are, and nothing else is
  /// awaited.
  boost::asio::awaitable<void> player_came();
  /// Gives the player the seat back that a strategy plays for them, if there is one.
  boost::asio::awaitable<void> take_back(PlayerId player);
  /// Lets a strategy take the seat over when its player has had TableOptions.timeouts_max time-outs
  /// in a row.
  boost::asio::awaitable<void> substitute(Seat seat);

 private:
  /// The row after the command. Errors: those of `apply` that are not the store's.
  [[nodiscard]] Expected<store::TableRow> changed_by(const SeatCommand& command) const;
  /// The command was handled.
  void applied(const SeatCommand& command);
  void begin(replay::StartedGame started, base::Moment at);

  const Parts parts_;
  std::optional<Start> start_;  // the game is to begin
};

}  // namespace tesela::tables
