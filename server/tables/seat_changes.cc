#include "server/tables/seat_changes.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/store/suspend.h"

namespace tesela::tables {

using boost::asio::awaitable;
using codec::Reason;
using store::TableRow;
using store::TableState;

awaitable<Expected<TableRow>> SeatChanges::ask(SeatCommand command) {
  return store::suspend<TableRow>([&host = parts_.host, command = std::move(command)](
                                      base::Continuation caller, auto resume) mutable {
    // Posted, because the consumer of the inbox may run inside this call.
    auto answer = [caller = std::move(caller),
                   resume = std::move(resume)](Expected<TableRow> table) mutable {
      caller.post([resume = std::move(resume), table = std::move(table)]() mutable {
        resume(std::move(table));
      });
    };
    if (host.accepts()) {
      static_cast<void>(
          host.enqueue(ChangeSeats{.command = std::move(command), .answer = std::move(answer)}));
    } else {
      answer(closes());
    }
  });
}

Expected<TableRow> SeatChanges::changed_by(const SeatCommand& command) const {
  if (auto offered = parts_.search.check_offered(command); !offered) {
    return std::unexpected(std::move(offered.error()));
  }
  if (const auto* sitting = std::get_if<TakeSeat>(&command)) {
    if (auto may = parts_.attendance.may_sit(*sitting); !may) {
      return std::unexpected(std::move(may.error()));
    }
  }
  if (std::holds_alternative<Remove>(command) && parts_.position.options.matched) {
    return refuse(ErrorCode::kPermissionDenied,
                  "The matchmaker has chosen the players of this table: nobody can be removed.");
  }
  const TableRow& row = parts_.position.row;
  auto changed = std::holds_alternative<Gathered>(command)
                     ? tables::apply(row, Gathered{.missing = parts_.attendance.missing()})
                     : tables::apply(row, command);
  if (changed && start_ && parts_.search.check_offered(*start_)) {
    auto begun = tables::apply(*changed, *start_);
    if (begun) changed = std::move(begun);
  }
  if (changed && row.state == TableState::kOpen && changed->state == TableState::kInPlay &&
      !parts_.attendance.complete(*changed)) {
    changed->state = TableState::kOpen;
  }
  return changed;
}

awaitable<Expected<TableRow>> SeatChanges::apply(const SeatCommand& command) {
  Position& position = parts_.position;
  // Before the change, so that the player does not get the seat back by a move meanwhile.
  if (const auto* forget = std::get_if<Forget>(&command)) {
    parts_.members.end_those_of(forget->player, {.reason = Reason::kUnauthenticated,
                                                 .message = "This player was erased.",
                                                 .reconnect = false});
  }
  auto changed = changed_by(command);
  if (!changed) co_return std::unexpected(std::move(changed.error()));
  if (*changed == position.row) {
    applied(command);
    co_return position.row;
  }
  if (const auto* remove = std::get_if<Remove>(&command)) {
    parts_.members.end_those_of(remove->player,
                                {.reason = Reason::kRemoved,
                                 .message = "The table's owner has removed you from it.",
                                 .reconnect = false});
  }
  const auto stored = co_await change(std::move(*changed));
  // The token is older than the database: the player is not in it.
  if (!stored && stored.error().code == ErrorCode::kNotFound) {
    co_return refuse(ErrorCode::kUnauthenticated, "The player is not known here; sign in again.");
  }
  if (!stored) co_return std::unexpected(stored.error());
  applied(command);
  if (position.row.state == TableState::kClosed) {
    const auto* closing = std::get_if<Close>(&command);
    parts_.host.close({.reason = Reason::kTableClosed,
                       .message = closing != nullptr ? closing->sentence : "The table was closed.",
                       .reconnect = false});
  }
  co_return position.row;
}

void SeatChanges::applied(const SeatCommand& command) {
  if (parts_.position.row.state != TableState::kOpen) {
    start_.reset();
  } else if (const auto* start = std::get_if<Start>(&command)) {
    start_ = *start;
  }
  parts_.attendance.applied(command);
  parts_.gathering.changed();
}

awaitable<Expected<void>> SeatChanges::mark_assisted() {
  if (parts_.position.row.assisted) co_return Expected<void>{};
  store::TableRow marked = parts_.position.row;
  marked.assisted = true;
  co_return co_await change(std::move(marked));
}

awaitable<Expected<void>> SeatChanges::change(TableRow row) {
  Position& position = parts_.position;
  // The wall clock may be set back; a game never begins before its table was made.
  auto at = base::Moment::now();
  at.unix_ms = std::max({at.unix_ms, position.at_ms, position.row.created_ms});
  std::optional<replay::StartedGame> started;
  std::optional<std::string> record;
  store::GameOutcome outcome;
  if (position.row.state == TableState::kOpen && row.state == TableState::kInPlay) {
    auto game = replay::start_game(row, at.unix_ms);
    if (!game) co_return std::unexpected(std::move(game.error()));
    record = std::move(game->record);
    started = std::move(*game);
    outcome = replay::end_if_over(row, *started->match, at.unix_ms);
  }
  const auto sent = std::chrono::steady_clock::now();
  auto stored = co_await parts_.table_rows.change_table(row, std::move(record), std::move(outcome));
  parts_.timer.extend_turn_since(sent);
  if (!stored) {
    const auto code = stored.error().code;
    if (code == ErrorCode::kFenced || code == ErrorCode::kInternal)
      parts_.host.lose(stored.error());
    co_return stored;
  }
  for (const auto& seat : position.row.seats) {
    const auto now = std::ranges::find(row.seats, seat.seat, &store::SeatRow::seat);
    const bool back = now != row.seats.end() && now->strategy.empty() && !seat.strategy.empty();
    if (back) position.clock.forgive(seat.seat);
  }
  position.row = std::move(row);
  if (started) parts_.seating.game_begins();
  parts_.seating.tell();
  if (started) {
    begin(std::move(*started), at);
  } else if (position.row.state != TableState::kClosed) {
    parts_.timer.wait();
    parts_.bots.ask();
  }
  row_changed();
  co_return Expected<void>{};
}

void SeatChanges::row_changed(std::string_view end) {
  parts_.changed(parts_.position.row);
  parts_.gauge.count(parts_.position.row, end);
}

void SeatChanges::begin(replay::StartedGame started, base::Moment at) {
  Position& position = parts_.position;
  position.begin(std::move(started), at);
  parts_.timer.start();
  parts_.members.send_all(parts_.newcomers.snapshot());
  parts_.bots.ask();
}

awaitable<void> SeatChanges::player_came() {
  if (parts_.position.row.state != TableState::kOpen) co_return;
  const SeatCommand command = Gathered{};
  // If the store cannot be written, the wait for players tries again.
  static_cast<void>(co_await apply(command));
}

awaitable<void> SeatChanges::take_back(PlayerId player) {
  Position& position = parts_.position;
  auto returning = position.return_command(player);
  if (!returning) co_return;
  const SeatCommand command = std::move(*returning);
  // If the store cannot be written, the strategy keeps the seat until the next attempt.
  static_cast<void>(co_await apply(command));
}

awaitable<void> SeatChanges::substitute(Seat seat) {
  Position& position = parts_.position;
  if (position.row.state != TableState::kInPlay) co_return;
  if (position.clock.timeouts(seat) < position.options.timeouts_max) co_return;
  const SeatCommand command = Substitute{seat};
  static_cast<void>(co_await apply(command));
}

}  // namespace tesela::tables
