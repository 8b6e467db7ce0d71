// Questions about SameGame.
#pragma once

#include "clients/cli/base/rules_json.h"

namespace tesela::cli {

/// The groups of a board, and what a move does to it.
[[nodiscard]] Expected<Json> answer_samegame_move(const Json& question);

}  // namespace tesela::cli
