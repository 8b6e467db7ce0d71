// `random`: any legal move.
#pragma once

#include <cstdint>

#include "engine/core/game.h"
#include "engine/strategy/strategy.h"

namespace tesela {

/// Each legal move exactly as likely, by one draw uniform(number of moves). For games whose moves
/// can be listed.
template <Game G>
class RandomMove final : public Strategy<G> {
 public:
  static constexpr Description kDescription{
      .name = "random", .text = "Any legal move.", .level = 0};

  [[nodiscard]] Choice<G> choose(const typename G::State& view, Seat seat, Rng& rng,
                                 const Budget& /*budget*/) override {
    std::uint32_t count = 0;
    G::legal_moves(view, seat, [&](const typename G::Move&) { ++count; });
    Choice<G> chosen;
    if (count == 0) {
      return chosen;
    }
    std::uint32_t before = rng.uniform(count);
    G::legal_moves(view, seat, [&](const typename G::Move& move) {
      if (before-- == 0) {
        chosen.move = move;
      }
    });
    return chosen;
  }
};

}  // namespace tesela
