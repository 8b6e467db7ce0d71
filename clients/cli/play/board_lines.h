// A board as lines of text.
#pragma once

#include <string>

#include "tesela/lobby/v1/leaderboard.pb.h"

namespace tesela::cli {

/// A heading, and a line for each entry; the one of `player_id` is marked. Each ends with a line
/// break.
[[nodiscard]] std::string board_lines(const lobby::v1::GetBoardResponse& board,
                                      const std::string& player_id);

}  // namespace tesela::cli
