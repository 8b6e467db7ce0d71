#include "server/games/clock.h"

#include <tesela/play/v1/play.pb.h>

#include <algorithm>

namespace tesela::games {

Clock::Clock(const ClockRules& rules, std::uint8_t seats) : rules_(rules), seats_(seats) {
  left_ms_.fill(rules.game.count());
}

Clock::Clock(const ClockRules& rules, std::uint8_t seats, const Logged& logged)
    : rules_(rules),
      seats_(seats),
      began_ms_(logged.turn_ms),
      turn_ms_(logged.turn_ms),
      left_ms_(logged.left_ms),
      timeouts_(logged.timeouts) {}

std::int64_t Clock::spent_ms(base::Moment at) const {
  if (!rules_.on() || !began_ms_) return 0;
  return std::max<std::int64_t>(at.steady_ms - *began_ms_, 0);
}

void Clock::extend_turn(std::chrono::milliseconds by) {
  if (began_ms_) *began_ms_ += by.count();
}

void Clock::charge(Seat seat, std::int64_t spent_ms, Mover mover) {
  if (!rules_.on()) return;
  auto& left_ms = left_ms_[seat.value];
  left_ms = std::max<std::int64_t>(left_ms - spent_ms, 0) + rules_.increment.count();
  if (mover == Mover::kTimeOver) ++timeouts_[seat.value];
  if (mover == Mover::kPlayer) timeouts_[seat.value] = forgiven_[seat.value] = 0;
}

std::optional<std::int64_t> Clock::turn_left_ms(Seat on_turn, base::Moment now) const {
  if (!rules_.on() || !began_ms_) return std::nullopt;
  std::int64_t may_take_ms = rules_.move.count();
  if (const auto left = left_ms(on_turn)) {
    may_take_ms = may_take_ms > 0 ? std::min(may_take_ms, *left) : *left;
  }
  return *began_ms_ + may_take_ms - now.steady_ms;
}

std::optional<std::int64_t> Clock::left_ms(Seat seat) const {
  if (rules_.game.count() == 0) return std::nullopt;
  return left_ms_[seat.value];
}

void write(const Clock& clock, base::Moment now, std::optional<Seat> turn, play::v1::Clocks& out) {
  out.set_now_ms(now.unix_ms);
  const auto left_ms = turn ? clock.turn_left_ms(*turn, now) : std::nullopt;
  if (left_ms) out.set_deadline_ms(now.unix_ms + *left_ms);
  for (std::uint8_t seat = 0; seat < clock.seats(); ++seat) {
    if (const auto left_ms = clock.left_ms(Seat{seat})) out.add_left_ms(*left_ms);
  }
}

}  // namespace tesela::games
