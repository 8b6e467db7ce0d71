#include "engine/azul/config.h"

#include <string>

namespace tesela::azul {

Expected<void> validate(const Config& config) {
  if (config.players < kPlayersMin || config.players > kPlayersMax) {
    return refuse(ErrorCode::kInvalidArgument,
                  "Azul is played by 2, 3 or 4, not by " + std::to_string(config.players) + ".");
  }
  return {};
}

}  // namespace tesela::azul
