// Finished games as lines of text.
#pragma once

#include <string>

#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::cli {

/// A line for each game: when it ended (UTC), the game, its table, who played with how many points,
/// the best first, and what was special about it. A last line tells how to see the next page, if
/// there is one. Each ends with a line break.
[[nodiscard]] std::string game_lines(const lobby::v1::ListTablesResponse& page);

}  // namespace tesela::cli
