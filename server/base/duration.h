// Durations as operators write them: a whole number and a unit, "500ms", "15s", "2m", "1h", "30d".
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::base {

/// Error: kInvalidArgument, with what would be right. At most 100 years.
[[nodiscard]] Expected<std::chrono::milliseconds> parse_duration(std::string_view text);

/// The same duration in the largest unit that gives a whole number.
[[nodiscard]] std::string duration_text(std::chrono::milliseconds duration);

}  // namespace tesela::base
