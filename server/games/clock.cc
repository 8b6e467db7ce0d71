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

std::int64_t Clock::spent_ms(std::int64_t at_ms) const {
  if (!rules_.on() || !began_ms_) return 0;
  return std::max<std::int64_t>(at_ms - *began_ms_, 0);
}

void Clock::extend_turn(std::chrono::milliseconds by) {
  if (began_ms_) *began_ms_ += by.count();
}

void Clock::charge(Seat seat, std::int64_t spent_ms, bool timed_out) {
  if (!rules_.on()) return;
  auto& left_ms = left_ms_[seat.value];
  left_ms = std::max<std::int64_t>(left_ms - spent_ms, 0) + rules_.increment.count();
  auto& timeouts = timeouts_[seat.value];
  timeouts = timed_out ? timeouts + 1 : 0;
  if (!timed_out) forgiven_[seat.value] = 0;
}

std::optional<std::int64_t> Clock::deadline_ms(Seat on_turn) const {
  if (!rules_.on() || !began_ms_) return std::nullopt;
  const std::int64_t move_ms = rules_.move.count();
  const auto left = left_ms(on_turn);
  if (!left) return *began_ms_ + move_ms;
  return *began_ms_ + (move_ms > 0 ? std::min(move_ms, *left) : *left);
}

std::optional<std::int64_t> Clock::left_ms(Seat seat) const {
  if (rules_.game.count() == 0) return std::nullopt;
  return left_ms_[seat.value];
}

void write(const Clock& clock, std::int64_t now_ms, std::optional<Seat> turn,
           play::v1::Clocks& out) {
  out.set_now_ms(now_ms);
  const auto deadline_ms = turn ? clock.deadline_ms(*turn) : std::nullopt;
  if (deadline_ms) out.set_deadline_ms(*deadline_ms);
  for (std::uint8_t seat = 0; seat < clock.seats(); ++seat) {
    if (const auto left_ms = clock.left_ms(Seat{seat})) out.add_left_ms(*left_ms);
  }
}

}  // namespace tesela::games
