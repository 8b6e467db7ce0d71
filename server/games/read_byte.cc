#include "server/games/read_byte.h"

#include <limits>
#include <string>

namespace tesela::games {

Expected<void> read_byte(std::string_view what, bool present, std::uint32_t value,
                         std::uint8_t& out) {
  if (!present) return {};
  if (value > std::numeric_limits<std::uint8_t>::max()) {
    return refuse(ErrorCode::kInvalidArgument,
                  std::string(what) + " is far too large: " + std::to_string(value) + ".");
  }
  out = static_cast<std::uint8_t>(value);
  return {};
}

}  // namespace tesela::games
