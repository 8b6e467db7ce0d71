// How a table of 2248 plays (R-2248-1, 6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/core/result.h"

namespace tesela::g2248 {

/// Cells are exponents: 0 is empty, k is a tile of the value 2^k.
using Exponent = std::uint8_t;

inline constexpr std::uint8_t kRowsMin = 3;
inline constexpr std::uint8_t kRowsMax = 12;
inline constexpr std::uint8_t kColumnsMin = 3;
inline constexpr std::uint8_t kColumnsMax = 10;
inline constexpr std::size_t kCellsMax = std::size_t{kRowsMax} * kColumnsMax;
/// The largest tile, 2^60.
inline constexpr Exponent kExponentMax = 60;
/// A start draws exponents from 1 to this one (R-2248-2).
inline constexpr Exponent kStartExponentMax = 6;
inline constexpr std::uint64_t kGoalMax = std::uint64_t{1} << 60U;
/// Where a score stops (R-2248-6).
inline constexpr std::uint64_t kScoreMax = (std::uint64_t{1} << 63U) - 1;

/// The value of a tile: 2^exponent, or 0 for an empty cell.
[[nodiscard]] constexpr std::uint64_t tile_value(Exponent exponent) {
  return exponent == 0 ? 0 : std::uint64_t{1} << exponent;
}

/// A default-made one is the original game.
struct Config {
  std::uint8_t rows{8};
  std::uint8_t columns{5};
  std::uint64_t goal{2248};

  friend bool operator==(const Config&, const Config&) = default;
};

/// Error: kInvalidArgument, with the fault and the right form.
[[nodiscard]] Expected<void> validate(const Config& config);

inline Expected<void> validate(const Config& config) {
  const auto invalid = [](std::string message) {
    return refuse(ErrorCode::kInvalidArgument, std::move(message));
  };
  if (config.rows < kRowsMin || config.rows > kRowsMax) {
    return invalid("A board has 3 to 12 rows, not " + std::to_string(config.rows) + ".");
  }
  if (config.columns < kColumnsMin || config.columns > kColumnsMax) {
    return invalid("A board has 3 to 10 columns, not " + std::to_string(config.columns) + ".");
  }
  if (config.goal < 1 || config.goal > kGoalMax) {
    return invalid("The goal is a score from 1 to 2^60, not " + std::to_string(config.goal) + ".");
  }
  return {};
}

}  // namespace tesela::g2248
