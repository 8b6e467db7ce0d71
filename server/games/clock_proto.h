// Clocks as the stream tells them.
#pragma once

#include <tesela/play/v1/play.pb.h>

#include <cstdint>
#include <optional>

#include "server/games/clock.h"

namespace tesela::games {

/// `turn` is the seat on turn at `now_ms`; none when the game is over.
void write(const Clock& clock, std::int64_t now_ms, std::optional<Seat> turn,
           play::v1::Clocks& out);

}  // namespace tesela::games
