// 2048 `merger`.
#pragma once

#include <cstdint>

#include "engine/g2048/board.h"
#include "engine/g2048/g2048.h"
#include "engine/strategy/strategy.h"

namespace tesela::g2048 {

/// Takes the points that a slide scores at once, the most there are, each direction that scores
/// them as likely. Where nothing merges, any slide.
class Merger final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "merger",
                                            .text = "Merges the most that it can at once.",
                                            .measure = "points of the move",
                                            .level = 1};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat seat, Rng& rng,
                                    const Budget& /*budget*/) override {
    Choice<Game> best;
    std::uint64_t most = 0;
    std::uint32_t alike = 0;
    Game::legal_moves(view, seat, [&](const Move& move) {
      Board board{view.config.size, view.cells};
      const std::uint64_t points = board.slide(move.direction);
      alike = points > most ? 0 : alike;
      if (points >= most && rng.uniform(++alike) == 0) {
        best = {.move = move, .value = static_cast<double>(points)};
      }
      most = points > most ? points : most;
    });
    return best;
  }
};

}  // namespace tesela::g2048
