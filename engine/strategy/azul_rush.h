// Azul `rush`, "rápido y furioso" (R-AZ-15).
#pragma once

#include "engine/strategy/azul_moves.h"
#include "engine/strategy/strategy.h"

namespace tesela::azul {

/// Fills the two shortest pattern lines.
class Rush final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "rush", .text = "Fills the first two pattern lines, fast and furious.", .level = 0};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& /*budget*/) override {
    return {any_viable(view, rng, [](const Move& move) { return move.target < 2; })};
  }
};

}  // namespace tesela::azul
