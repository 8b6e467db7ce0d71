// SameGame `largest-group`.
#pragma once

#include <cstdint>

#include "engine/samegame/samegame.h"
#include "engine/strategy/strategy.h"

namespace tesela::samegame {

/// Removes the largest group, the first of them column by column from the left.
class LargestGroup final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "largest-group",
                                            .text = "Removes the largest group.",
                                            .measure = "tiles of the group",
                                            .level = 1};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                                    const Budget& /*budget*/) override {
    using Set = LargeBoard::Set;
    Choice<Game> best;
    std::uint32_t most = 0;
    for (Set left = view.board.playable(); !left.empty();) {
      const auto place = left.first();
      const Set group = view.board.group(place);
      left -= group;
      if (group.size() > most) {
        most = group.size();
        best = {.move = {cell_of<Set>(view.setting, place)}, .value = most};
      }
    }
    return best;
  }
};

}  // namespace tesela::samegame
