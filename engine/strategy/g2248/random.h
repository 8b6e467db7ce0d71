// 2248 `random` and `glance`.
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

/// Sees three random walks of legal steps (random_chain), and plays the one that is worth most.
/// Never plays the booster.
class Glance final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "glance",
                                            .text = "The best of three chains that it sees.",
                                            .measure = "value of the tile",
                                            .level = 1};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& /*budget*/) override {
    constexpr int kSeen = 3;
    if (!has_chain(view.board)) {
      return {};
    }
    Path best;
    Exponent most = 0;
    for (int seen = 0; seen < kSeen; ++seen) {
      const Path chain = random_chain(view.board, rng);
      if (const Exponent value = value_of(view.board, chain.cells()); value > most) {
        best = chain;
        most = value;
      }
    }
    return {.move = {.kind = MoveKind::kChain, .chain = best},
            .value = static_cast<double>(tile_value(most))};
  }
};

}  // namespace tesela::g2248
