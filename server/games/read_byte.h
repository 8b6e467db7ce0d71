// What the configurations of the games have in common: small numbers that may be left out.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::games {

/// Puts a field's value in `out`, which keeps its own when the field is not there. Errors:
/// kInvalidArgument for a value that no byte holds, naming the field `what`.
[[nodiscard]] inline Expected<void> read_byte(std::string_view what, bool present,
                                              std::uint32_t value, std::uint8_t& out) {
  if (!present) return {};
  if (value > std::numeric_limits<std::uint8_t>::max()) {
    return refuse(ErrorCode::kInvalidArgument,
                  std::string(what) + " is far too large: " + std::to_string(value) + ".");
  }
  out = static_cast<std::uint8_t>(value);
  return {};
}

}  // namespace tesela::games
