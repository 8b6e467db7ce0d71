// 2248 `max-path`, CAMINO MÁXIMO (R-2248-9).
#pragma once

#include "engine/g2248/g2248.h"
#include "engine/g2248/hints.h"
#include "engine/strategy/node_counter.h"
#include "engine/strategy/strategy.h"

namespace tesela::g2248 {

/// The chain of a hint.
[[nodiscard]] inline Move move_of(const Hint& hint) {
  return {.kind = MoveKind::kChain, .chain = hint.path};
}

/// What its tile is worth.
[[nodiscard]] inline double worth_of(const Hint& hint) {
  return static_cast<double>(tile_value(hint.value));
}

/// A search of hints within a budget. Its steps are nodes.
[[nodiscard]] inline StepLimit limit_of(NodeCounter& nodes) {
  return StepLimit{[&nodes] { return nodes.spend_many(); }};
}

/// A chain with the largest value, or of those found before the budget was used up: tens of
/// milliseconds on the hardest boards of 8 x 5 known, seldom a tenth of one (hints.h).
class MaxPath final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "max-path",
                                            .text = "A chain of the largest value.",
                                            .measure = "value of the tile",
                                            .level = 2};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                                    const Budget& budget) override {
    NodeCounter nodes{budget};
    const auto hint = max_path(view.board, {}, limit_of(nodes));
    return hint ? Choice<Game>{.move = move_of(*hint), .value = worth_of(*hint)} : Choice<Game>{};
  }
};

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
