// How a table of Azul plays (R-AZ-1, R-AZ-11).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/core/result.h"

namespace tesela::azul {

inline constexpr std::uint8_t kPlayersMin = 2;
inline constexpr std::uint8_t kPlayersMax = 4;
inline constexpr std::size_t kFactoriesMax = 9;
/// So many rounds in a row without a tile for any wall end the game (R-AZ-11).
inline constexpr std::uint8_t kUntiledRoundsMax = 3;

struct Config {
  std::uint8_t players{kPlayersMin};
  /// kUntiledRoundsMax, or 0 for a game from before that rule: such rounds do not end it.
  std::uint8_t untiled_rounds_max{kUntiledRoundsMax};

  friend bool operator==(const Config&, const Config&) = default;
};

/// How many factory displays so many players share: 5, 7 or 9.
[[nodiscard]] constexpr std::size_t factory_count(std::uint8_t players) {
  return std::size_t{2} * players + 1;
}

/// Error: kInvalidArgument, with the fault and the right form.
[[nodiscard]] Expected<void> validate(const Config& config);

inline Expected<void> validate(const Config& config) {
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
