// Durations as people write them.
#pragma once

#include <chrono>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::cli {

/// A number and its unit, us, ms, s or min: "250ms", "1.5s". More than nothing, and at most a day.
/// Refuses with kInvalidArgument.
[[nodiscard]] Expected<std::chrono::microseconds> read_duration(std::string_view text);

}  // namespace tesela::cli
