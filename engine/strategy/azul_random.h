// Azul `random` (R-AZ-15).
#pragma once

#include "engine/strategy/azul_moves.h"
#include "engine/strategy/strategy.h"

namespace tesela::azul {

/// Any viable move.
class Random final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "random", .text = "Any move to a pattern line.", .level = 0};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& /*budget*/) override {
    return {any_viable(view, rng, [](const Move&) { return true; })};
  }
};

}  // namespace tesela::azul
