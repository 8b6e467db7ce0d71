// Positions of SameGame in the JSON of tests/vectors/README.md: colours from 0, -1 for none.
#pragma once

#include "clients/cli/base/rules_json.h"
#include "engine/samegame/samegame.h"

namespace tesela::cli {

/// "board" (rows of cells), and "rows" and "cols" if they are there: a board as a move leaves it,
/// in a game of all colours in which tiles that are left cost once (Penalty::kRemaining), without
/// points. Refuses with kInvalidArgument.
[[nodiscard]] Expected<samegame::State> read_samegame_state(const Json& json);

}  // namespace tesela::cli
