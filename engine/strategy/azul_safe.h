// Azul `safe` (R-AZ-15).
#pragma once

#include "engine/strategy/azul_moves.h"
#include "engine/strategy/strategy.h"

namespace tesela::azul {

/// Drops as few tiles as it can.
class Safe final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "safe",
                                            .text = "Sends the fewest tiles to the floor line.",
                                            .measure = "tiles to the floor line",
                                            .level = 1};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                                    const Budget& /*budget*/) override {
    if (view.over) {
      return {};
    }
    const auto dropped = [&](const Move& move) { return tiles_to_floor(view, move); };
    const auto safest = cheapest(view, is_viable, dropped);
    const Move move = safest ? *safest : least_harm(view);
    return {.move = move, .value = dropped(move)};
  }
};

}  // namespace tesela::azul
