// 2248 `max-adjacent`, ADYACENTE MÁXIMO (R-2248-10).
#pragma once

#include "engine/strategy/g2248_max_path.h"
#include "engine/strategy/strategy.h"

namespace tesela::g2248 {

/// A chain with the largest value that lands beside its like, or of those found before the budget
/// was used up; without one the maximum path, as a move without a value.
class MaxAdjacent final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "max-adjacent",
      .text = "A chain of the largest value that lands beside its like.",
      .measure = "value of the tile",
      .level = 3};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                                    const Budget& budget) override {
    NodeCounter nodes{budget};
    if (const auto hint = max_adjacent(view.board, {}, limit_of(nodes))) {
      return {.move = move_of(*hint), .value = worth_of(*hint)};
    }
    const auto path = max_path(view.board, {}, limit_of(nodes));
    return {.move = path ? move_of(*path) : Move{}};
  }
};

}  // namespace tesela::g2248
