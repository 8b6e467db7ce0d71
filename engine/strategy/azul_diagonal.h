// Azul `diagonal` (R-AZ-15).
#pragma once

#include "engine/strategy/azul_moves.h"
#include "engine/strategy/strategy.h"

namespace tesela::azul {

/// Whether the cell of the wall that a viable move works for lies on or above the main diagonal.
[[nodiscard]] constexpr bool is_above_diagonal(const Move& move) {
  return wall_cell(move.target, move.colour) % kRows >= move.target;
}

/// Works for the upper right half of the wall.
class Diagonal final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "diagonal", .text = "Builds the wall on and above its diagonal.", .level = 0};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& /*budget*/) override {
    return {any_viable(view, rng, is_above_diagonal)};
  }
};

}  // namespace tesela::azul
