// The seats of a Table: who takes which, and who is told.
#include <algorithm>
#include <boost/asio/post.hpp>
#include <ranges>
#include <utility>

#include "server/base/clock.h"
#include "server/base/id_text.h"
#include "server/base/limits.h"
#include "server/bots/bots.h"
#include "server/store/suspend.h"
#include "server/tables/table.h"

namespace tesela::tables {

using boost::asio::awaitable;
using store::TableRow;
using store::TableState;

std::optional<Seat> Table::seat_of(PlayerId player) const {
  const auto found = std::ranges::find(row_.seats, player, &store::SeatRow::player);
  if (found == row_.seats.end()) return std::nullopt;
  return found->seat;
}

bool Table::plays(PlayerId player) const {
  const auto seat = std::ranges::find(row_.seats, player, &store::SeatRow::player);
  return seat != row_.seats.end() && strategy_of(*seat).empty();
}

awaitable<Expected<TableRow>> Table::apply(SeatCommand command) {
  return store::suspend<TableRow>([this, command = std::move(command)](store::Executor executor,
                                                                       auto resume) mutable {
    // Never from inside this call, which the consumer of the inbox may be.
    auto answer = [executor = std::move(executor),
                   resume = std::move(resume)](Expected<TableRow> table) mutable {
      boost::asio::post(executor, [resume = std::move(resume), table = std::move(table)]() mutable {
        resume(std::move(table));
      });
    };
    if (goodbye_ || inbox_.full()) {
      answer(closes());
    } else {
      static_cast<void>(
          enqueue(ChangeSeats{.command = std::move(command), .answer = std::move(answer)}));
    }
  });
}

awaitable<Expected<TableRow>> Table::apply_now(const SeatCommand& command) {
  if (auto offered = check_offered(command); !offered) {
    co_return std::unexpected(std::move(offered.error()));
  }
  auto changed = tables::apply(row_, command);
  if (!changed) co_return std::unexpected(std::move(changed.error()));
  if (*changed != row_) {
    const auto* closing = std::get_if<Close>(&command);
    std::string goodbye = closing != nullptr ? closing->sentence : "The table was closed.";
    const auto stored = co_await change(std::move(*changed), std::move(goodbye));
    // The token outlived the player: somebody put a new database under the old key.
    if (!stored && stored.error().code == ErrorCode::kNotFound) {
      co_return refuse(ErrorCode::kUnauthenticated, "The player is not known here; sign in again.");
    }
    if (!stored) co_return std::unexpected(stored.error());
  }
  co_return row_;
}

awaitable<Expected<void>> Table::change(TableRow row, std::string goodbye) {
  // A clock that was set back makes no game begin before its table was made.
  const std::int64_t at_ms = std::max({base::unix_ms(), at_ms_, row_.created_ms});
  std::optional<replay::StartedGame> started;
  std::optional<std::string> record;
  store::GameOutcome outcome;
  if (row_.state == TableState::kOpen && row.state == TableState::kInPlay) {
    auto game = replay::start_game(row, at_ms);
    if (!game) co_return std::unexpected(std::move(game.error()));
    record = std::move(game->record);
    started = std::move(*game);
    outcome = replay::end_if_over(row, *started->match, at_ms);
  }
  auto stored = co_await store_.change_table(row, std::move(record), std::move(outcome));
  if (!stored) {
    const auto code = stored.error().code;
    if (code == ErrorCode::kFenced || code == ErrorCode::kInternal) lose(stored.error());
    co_return stored;
  }
  for (const auto& seat : row_.seats) {
    const auto now = std::ranges::find(row.seats, seat.seat, &store::SeatRow::seat);
    const bool back = now != row.seats.end() && now->strategy.empty() && !seat.strategy.empty();
    if (back) clock_.forgive(seat.seat);
  }
  row_ = std::move(row);
  tell_seating();
  if (started) {
    begin(std::move(*started), at_ms);
  } else if (row_.state != TableState::kClosed) {
    wait_for_time();
    ask_bot(bot_pace_);
  }
  wait_for_contributions();
  changed_(row_);
  count();
  if (row_.state == TableState::kClosed) {
    close(
        {.reason = codec::Reason::kTableClosed, .message = std::move(goodbye), .reconnect = false});
  }
  co_return Expected<void>{};
}

void Table::begin(replay::StartedGame started, std::int64_t at_ms) {
  match_ = std::move(started.match);
  version_ = Version{1};
  at_ms_ = at_ms;
  clock_ = games::Clock(options_.clock, row_.seat_count);
  start_clock();
  const auto first = snapshot();
  for (auto& member : members_) {
    if (member.present) send(member, first);
  }
  ask_bot(bot_pace_);
}

std::optional<TakeSeat> Table::return_command(PlayerId player) const {
  if (row_.state != TableState::kInPlay) return std::nullopt;
  const auto seat = std::ranges::find(row_.seats, player, &store::SeatRow::player);
  if (seat == row_.seats.end() || seat->strategy.empty()) return std::nullopt;
  return TakeSeat{.player = player, .name = seat->display_name, .seat = seat->seat};
}

/// Who comes back plays again.
awaitable<void> Table::take_back(TakeSeat wanted) {
  const SeatCommand command = std::move(wanted);
  // A store that cannot be written now leaves the seat to the strategy, until the next frame.
  static_cast<void>(co_await apply_now(command));
}

/// After as many time-outs as the table allows.
awaitable<void> Table::substitute(Seat seat) {
  if (row_.state != TableState::kInPlay) co_return;
  if (clock_.timeouts(seat) < options_.timeouts_max) co_return;
  const SeatCommand command = Substitute{seat};
  static_cast<void>(co_await apply_now(command));
}

void Table::tell_seating() {
  for (auto& member : members_) {
    if (member.player) member.seat = seat_of(*member.player);
  }
  // Who watched on several streams plays on the newest.
  for (const auto& member : std::views::reverse(members_)) replace_others_of(member);
  told_ = presence();
  const codec::Seating now = seating();
  const codec::FramePtr to_spectators = codec::seating_frame(now, {});
  for (auto& member : members_) {
    if (member.present) {
      send(member, member.seat ? codec::seating_frame(now, member.seat) : to_spectators);
    }
    if (options_.spectators_off && !member.seat) {
      member.outbox->end(codec::Reason::kNoSpectators,
                         codec::goodbye_frame(codec::Reason::kNoSpectators,
                                              "You have left: only its players may watch this "
                                              "table.",
                                              false, 0));
    }
  }
}

void Table::offer_rematch(TableId table) {
  rematch_ = table;
  tell_seating();
}

codec::Seating Table::seating() const {
  codec::Seating out{.seats = {},
                     .seat_count = row_.seat_count,
                     .waiting = row_.state == TableState::kOpen,
                     .assisted = row_.assisted,
                     .owner_id = base::to_text(row_.owner),
                     .rematch_table_id = rematch_ ? base::to_text(*rematch_) : std::string()};
  const Presence here = presence();
  out.spectators = here.spectators;
  for (const auto& seat : row_.seats) {
    out.seats.push_back({.seat = seat.seat,
                         .player_id = base::to_text(seat.player),
                         .display_name = seat.display_name,
                         .strategy = strategy_of(seat),
                         .bot = bots::is_bot(row_.game, seat),
                         .connected = here.connected[seat.seat.value],
                         .resigned = match_ && match_->resigned(seat.seat),
                         .contribution = seat.contribution_state});
  }
  return out;
}

}  // namespace tesela::tables
