// Positions of SameGame in a file.
#pragma once

#include <istream>
#include <vector>

#include "engine/core/result.h"
#include "engine/samegame/config.h"

namespace tesela::cli {

/// As tests/vectors/samegame20.txt has them: a line a row, from the top, of colours from 0, each
/// position with as many rows as columns; empty lines and what follows a # do not count. They are
/// scored as the published benchmarks are (R-SG-5, per colour). Refuses with kInvalidArgument.
[[nodiscard]] Expected<std::vector<samegame::Config>> read_samegame_positions(std::istream& in);

}  // namespace tesela::cli
