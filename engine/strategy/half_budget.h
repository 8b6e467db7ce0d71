// A budget for each of two searches.
#pragma once

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

}  // namespace tesela
