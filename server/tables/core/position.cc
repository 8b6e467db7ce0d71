#include "server/tables/core/position.h"

#include <algorithm>
#include <utility>

#include "server/base/absence_limits.h"
#include "server/base/clock.h"
#include "server/bots/bots.h"

namespace tesela::tables {

using store::SeatRow;

void Position::begin(replay::StartedGame started, base::Moment now) {
  match = std::move(started.match);
  version = Version{1};
  at_ms = now.unix_ms;
  clock = games::Clock(options.clock, row.seat_count);
  clock.begin_turn(now);
}

std::optional<Seat> Position::seat_of(PlayerId player) const {
  const auto found = std::ranges::find(row.seats, player, &SeatRow::player);
  if (found == row.seats.end()) return std::nullopt;
  return found->seat;
}

const SeatRow* Position::on_turn() const {
  const auto turn = match ? match->turn() : std::nullopt;
  if (!turn) return nullptr;
  const auto seat = std::ranges::find(row.seats, *turn, &SeatRow::seat);
  return seat == row.seats.end() ? nullptr : &*seat;
}

std::string Position::strategy_of(const SeatRow& seat) const {
  if (seat.strategy.empty() && match && match->resigned(seat.seat)) return autoplay();
  return seat.strategy;
}

bool Position::has_strategies() const {
  return std::ranges::any_of(row.seats, [](const SeatRow& seat) { return !seat.strategy.empty(); });
}

std::string Position::autoplay() const {
  return bots::autoplay_of(row.game, options);
}

bool Position::plays(PlayerId player) const {
  const auto seat = std::ranges::find(row.seats, player, &SeatRow::player);
  return seat != row.seats.end() && strategy_of(*seat).empty();
}

bool Position::time_is_over() const {
  return clock.on() && time_is_over(base::Moment::now());
}

bool Position::time_is_over(base::Moment now) const {
  const auto* seat = on_turn();
  const auto left_ms = seat == nullptr ? std::nullopt : clock.turn_left_ms(seat->seat, now);
  return left_ms && *left_ms <= 0;
}

bool Position::by_days() const {
  return std::max(options.clock.move, options.clock.game) > limits::kClaimClockMax;
}

std::optional<TakeSeat> Position::return_command(PlayerId player) const {
  if (row.state != store::TableState::kInPlay) return std::nullopt;
  const auto seat = std::ranges::find(row.seats, player, &SeatRow::player);
  if (seat == row.seats.end() || seat->strategy.empty()) return std::nullopt;
  return TakeSeat{.player = player, .name = seat->display_name, .seat = seat->seat};
}

Position position_of(store::TableRow row, codec::TableOptions options, replay::Replayed& game) {
  return {.row = std::move(row),
          .options = std::move(options),
          .match = std::move(game.match),
          .version = game.version,
          .at_ms = game.at_ms,
          .recent_moves = std::move(game.moves),
          .clock = game.clock,
          .shares = game.shares,
          .moves_alone = game.moves_alone};
}

replay::Participation Position::participation(bool rate_bots, const replay::MoveShares& moves,
                                              const games::Clock& clocks) const {
  replay::Participation participation{.rate_bots = rate_bots};
  for (const auto& seat : row.seats) {
    participation.left.at(seat.seat.value) = !seat.strategy.empty() || match->resigned(seat.seat);
    participation.late.at(seat.seat.value) = moves.mostly_by_strategy(seat.seat);
    const auto& share = moves.shares().at(seat.seat.value);
    const bool moved = bots::is_bot(row.game, seat) ? share.by_strategy > 0 : share.by_player > 0;
    const bool timed_out = clocks.logged().timeouts.at(seat.seat.value) > 0;
    participation.played.at(seat.seat.value) = moved || timed_out;
  }
  return participation;
}

}  // namespace tesela::tables
