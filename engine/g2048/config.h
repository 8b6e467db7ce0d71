// How a table of 2048 plays (R-2048-1, 4, 5, 6, 8).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/core/result.h"

namespace tesela::g2048 {

/// Cells are exponents: 0 is empty, k is a tile of the value 2^k.
using Exponent = std::uint8_t;

inline constexpr std::uint8_t kSizeMin = 2;
inline constexpr std::uint8_t kSizeMax = 8;
inline constexpr std::size_t kCellsMax = std::size_t{kSizeMax} * kSizeMax;
/// The largest tile, 2^31. Two of them do not merge (R-2048-2).
inline constexpr Exponent kExponentMax = 31;
/// The largest new tile, 2^30.
inline constexpr Exponent kSpawnExponentMax = 30;
/// In place of a spawn's exponent: it is drawn by the weights.
inline constexpr Exponent kDrawn = 0;
/// The smallest objective, a 4.
inline constexpr Exponent kObjectiveMin = 2;
inline constexpr std::size_t kWeightsMax = 8;
inline constexpr std::uint32_t kPerMille = 1000;

/// Row-major: row * size + column. The first size * size count, the others are 0.
using Cells = std::array<Exponent, kCellsMax>;

/// The value of a tile: 2^exponent, or 0 for an empty cell.
[[nodiscard]] constexpr std::uint64_t tile_value(Exponent exponent) {
  return exponent == 0 ? 0 : std::uint64_t{1} << exponent;
}

/// One value that a spawn may have, and how often.
struct SpawnWeight {
  Exponent exponent{};
  std::uint16_t per_mille{};

  friend bool operator==(const SpawnWeight&, const SpawnWeight&) = default;
};

/// The first `weight_count` entries of `weights` count, in the order in which they are cumulated
/// (R-2048-4). A default-made one is `classic()`.
struct Config {
  std::uint8_t size{4};
  std::array<SpawnWeight, kWeightsMax> weights{{{1, 900}, {2, 100}}};
  std::uint8_t weight_count{2};
  std::uint8_t start_tiles{2};
  Exponent start_exponent{kDrawn};  // of every tile of the start
  Exponent objective{11};
  bool stop_at_objective{false};

  /// The original game.
  [[nodiscard]] static constexpr Config classic() { return {}; }
  /// R-2048-8.
  [[nodiscard]] static constexpr Config amat() {
    Config config;
    config.size = 6;
    config.weights = {{{1, 700}, {2, 300}}};
    config.start_exponent = 1;
    config.stop_at_objective = true;
    return config;
  }

  friend bool operator==(const Config&, const Config&) = default;
};

/// Error: kInvalidArgument, with the fault and the right form.
[[nodiscard]] Expected<void> validate(const Config& config);

}  // namespace tesela::g2048
