// 2248 `random`.
#pragma once

#include "engine/g2248/g2248.h"
#include "engine/strategy/strategy.h"

namespace tesela::g2248 {

/// A random walk of legal steps (random_chain). The chains of a board are too many to draw each
/// with the same probability. Never plays the booster.
class Random final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "random", .text = "A random walk over the board.", .level = 0};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& /*budget*/) override {
    if (!has_chain(view.board)) {
      return {};
    }
    return {.move = {.kind = MoveKind::kChain, .chain = random_chain(view.board, rng)}};
  }
};

}  // namespace tesela::g2248
