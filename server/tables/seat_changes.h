// Changes of a table's row: who sits where, the beginning of the game, the marks.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/replay/start_game.h"
#include "server/store/store.h"
#include "server/tables/bot_search.h"
#include "server/tables/bot_seats.h"
#include "server/tables/core/position.h"
#include "server/tables/core/seat_command.h"
#include "server/tables/core/table_host.h"
#include "server/tables/gathering.h"
#include "server/tables/members/seating.h"
#include "server/tables/newcomers.h"
#include "server/tables/table_gauge.h"
#include "server/tables/turn_timer.h"

namespace tesela::tables {

/// Durable before visible, as moves are. From the consumer of commands only, on the table's thread.
class SeatChanges {
 public:
  /// What a change makes go on; all outlive it.
  struct Parts {
    Position& position;
    Members& members;
    Seating& seating;
    BotSearch& search;
    BotSeats& bots;
    TurnTimer& timer;
    Gathering& gathering;
    Newcomers& newcomers;
    TableGauge& gauge;
    TableHost& host;
    store::Store& store;
    std::function<void(const store::TableRow&)> changed;  // told of each new row
  };

  explicit SeatChanges(Parts parts) : parts_(std::move(parts)) {}

  /// The table's row after the command. Errors: those of tables::apply, kUnauthenticated (the
  /// player is not known), kUnavailable (the store cannot be written).
  boost::asio::awaitable<Expected<store::TableRow>> apply(const SeatCommand& command);
  /// Puts `row` in place of the table's own; the game begins with the last seat. Errors: of the
  /// store; the table ends after those that leave open what was stored.
  boost::asio::awaitable<Expected<void>> change(store::TableRow row);

  /// Tells others of the row as it is now.
  void row_changed();

  /// Gives a player the seat back that a strategy plays for them now, if there is one.
  boost::asio::awaitable<void> take_back(PlayerId player);
  /// A strategy plays on for a player after as many time-outs as the table allows.
  boost::asio::awaitable<void> substitute(Seat seat);

 private:
  void begin(replay::StartedGame started, std::int64_t at_ms);

  const Parts parts_;
};

}  // namespace tesela::tables
