// What every game owes to a move that it refuses.
#pragma once

#include <vector>

#include "engine/core/game.h"
#include "tests/fuzz/input.h"

namespace tesela::fuzz {

/// A move that is not legal, or not that seat's, leaves no trace and is told what is wrong.
template <Game AnyGame>
void check_refusal(const typename AnyGame::State& s, Seat seat, const typename AnyGame::Move& move,
                   const Rng& rng) {
  Rng untouched = rng;
  std::vector<typename AnyGame::Stage> stages;
  const auto after = AnyGame::apply(s, seat, move, untouched, CollectStages{stages});
  require(!after && !after.error().message.empty());
  require(untouched == rng && stages.empty());
}

}  // namespace tesela::fuzz
