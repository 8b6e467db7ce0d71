// Hints that show more than one move.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/ids.h"
#include "engine/core/rng.h"
#include "engine/strategy/strategy.h"

namespace tesela {

/// The moves of a hint: the move that the strategy chooses, and the next best of the `most` that it
/// ranks first, in the order of their values. No value is above that of the choice, and only the
/// choice may be without one. None when the game is over or `most` is 0.
template <Game G>
[[nodiscard]] std::vector<Choice<G>> advise(Strategy<G>& strategy, const typename G::State& view,
                                            Seat seat, Rng& rng, const Budget& budget,
                                            std::size_t most) {
  auto choices = strategy.rank(view, seat, rng, budget, most);
  if (choices.size() < 2) {
    return choices;
  }
  const auto best = choices.front().value;
  // A move that the search has tried seldom may look better than its choice by chance.
  const auto kept = std::remove_if(choices.begin() + 1, choices.end(), [&](const Choice<G>& other) {
    return !best || !other.value || *other.value > *best;
  });
  choices.erase(kept, choices.end());
  std::ranges::stable_sort(choices.begin() + 1, choices.end(), std::ranges::greater{},
                           &Choice<G>::value);
  return choices;
}

}  // namespace tesela
