// 2248 `max-adjacent`, ADYACENTE MÁXIMO (R-2248-10).
#pragma once

#include "engine/strategy/g2248_max_path.h"
#include "engine/strategy/strategy.h"

namespace tesela::g2248 {

/// A chain with the largest value that lands beside its like; without one the maximum path. What
/// the search of a hint may cost is said in hints.h; the budget does not bound it.
class MaxAdjacent final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "max-adjacent",
      .text = "A chain of the largest value that lands beside its like.",
      .level = 2};

  [[nodiscard]] Move choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                            const Budget& /*budget*/) override {
    const auto beside = move_of(max_adjacent(view.board));
    return beside ? *beside : move_of(max_path(view.board)).value_or(Move{});
  }
};

}  // namespace tesela::g2248
