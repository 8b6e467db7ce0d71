// Questions about 2248.
#pragma once

#include "clients/cli/base/rules_json.h"

namespace tesela::cli {

/// What a chain makes of a grid, before the refill.
[[nodiscard]] Expected<Json> answer_2248_join(const Json& question);
/// What the booster makes of a grid, before the refill; without a group, nothing.
[[nodiscard]] Expected<Json> answer_2248_booster(const Json& question);
/// The value and path of the maximum path.
[[nodiscard]] Expected<Json> answer_2248_max_path(const Json& question);
/// The value and path of the maximum adjacent.
[[nodiscard]] Expected<Json> answer_2248_max_adjacent(const Json& question);

}  // namespace tesela::cli
