// Questions about 2048.
#pragma once

#include "clients/cli/base/rules_json.h"

namespace tesela::cli {

/// What each move does to a grid, before the spawn, and how the game stands.
[[nodiscard]] Expected<Json> answer_2048_moves(const Json& question);

}  // namespace tesela::cli
