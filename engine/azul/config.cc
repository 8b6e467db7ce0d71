#include "engine/azul/config.h"

#include <string>

namespace tesela::azul {

Expected<void> validate(const Config& config) {
  if (config.players < kPlayersMin || config.players > kPlayersMax) {
    return refuse(ErrorCode::kInvalidArgument,
                  "Azul is played by 2, 3 or 4, not by " + std::to_string(config.players) + ".");
  }
  if (config.untiled_rounds_max != kUntiledRoundsMax && config.untiled_rounds_max != 0) {
    return refuse(ErrorCode::kInvalidArgument,
                  "A game of Azul ends after " + std::to_string(kUntiledRoundsMax) +
                      " rounds in a row without a tile for a wall, not after " +
                      std::to_string(config.untiled_rounds_max) + ".");
  }
  return {};
}

}  // namespace tesela::azul
