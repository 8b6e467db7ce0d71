// For a comparison by two searches: of the position, and of the one that the judged move leads to.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/strategy/strategy.h"

namespace tesela {

/// Half the time and half the nodes of `budget`, where it limits them.
[[nodiscard]] inline Budget half_of(Budget budget) {
  if (budget.time != kNoTimeLimit) {
    budget.time /= 2;
  }
  if (budget.nodes != kNoNodeLimit) {
    budget.nodes /= 2;
  }
  return budget;
}

/// Puts a judged move among others, which are in the order of their values, before those that are
/// worth less; its entry there is left out.
template <Game G>
void put_judged(std::vector<Choice<G>>& choices, const Choice<G>& judged) {
  std::erase_if(choices, [&](const Choice<G>& known) { return known.move == judged.move; });
  const auto worse = [&](const Choice<G>& other) { return other.value < judged.value; };
  choices.insert(std::ranges::find_if(choices, worse), judged);
}

}  // namespace tesela
