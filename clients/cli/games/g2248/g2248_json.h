// Positions of 2248 in the JSON of tests/vectors/README.md: values, not exponents.
#pragma once

#include "clients/cli/base/rules_json.h"
#include "engine/g2248/g2248.h"

namespace tesela::cli {

/// "grid" (flat, row by row) and "cols": any number of rows and columns, as long as the cells are
/// not too many. Refuses with kInvalidArgument, as the other does.
[[nodiscard]] Expected<g2248::Board> read_2248_board(const Json& json);

/// The same board in the usual game, without points.
[[nodiscard]] Expected<g2248::State> read_2248_state(const Json& json);

}  // namespace tesela::cli
