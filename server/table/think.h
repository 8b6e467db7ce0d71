// A strategy at work on a copy of a position: what a table hands to a bot thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/core/rng.h"
#include "engine/strategy/strategy.h"

namespace tesela::table {

/// What a strategy would play.
struct Advice {
  std::string strategy;  // its name
  std::string move;      // the game's message, encoded
  std::optional<double> value;
  std::string measure;  // what `value` counts, such as "points"
};

/// Asks the strategy. Holds all it needs: may run on any thread, once.
using Think = std::move_only_function<Advice(Rng& rng, const Budget& budget)>;

}  // namespace tesela::table
