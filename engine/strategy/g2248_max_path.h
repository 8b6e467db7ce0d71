// 2248 `max-path`, CAMINO MÁXIMO (R-2248-9).
#pragma once

#include <optional>

#include "engine/g2248/g2248.h"
#include "engine/g2248/hints.h"
#include "engine/strategy/strategy.h"

namespace tesela::g2248 {

/// The chain of a hint, if there is one.
[[nodiscard]] inline std::optional<Move> move_of(const std::optional<Hint>& hint) {
  return hint ? std::optional{Move{.kind = MoveKind::kChain, .chain = hint->path}} : std::nullopt;
}

/// A chain with the largest value. What the search of a hint may cost is said in hints.h; the
/// budget does not bound it.
class MaxPath final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "max-path", .text = "A chain of the largest value.", .level = 2};

  [[nodiscard]] Move choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                            const Budget& /*budget*/) override {
    return move_of(max_path(view.board)).value_or(Move{});
  }
};

}  // namespace tesela::g2248
