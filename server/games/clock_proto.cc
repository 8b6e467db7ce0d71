#include "server/games/clock_proto.h"

namespace tesela::games {

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
