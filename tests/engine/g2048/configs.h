// Random configurations of 2048.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "engine/core/rng.h"
#include "engine/g2048/config.h"

namespace tesela::test {

/// One to eight weights with distinct tiles up to `exponent_max`.
inline void draw_weights(g2048::Config& config, g2048::Exponent exponent_max, Rng& rng) {
  std::array<g2048::Exponent, g2048::kSpawnExponentMax> exponents{};
  std::iota(exponents.begin(), exponents.begin() + exponent_max, g2048::Exponent{1});
  rng.shuffle(std::span{exponents}.first(exponent_max));
  config.weight_count = static_cast<std::uint8_t>(1 + rng.uniform(g2048::kWeightsMax));
  config.weights = {};
  std::uint32_t left = g2048::kPerMille;
  for (std::uint8_t i = 0; i < config.weight_count; ++i) {
    const bool last = i + 1 == config.weight_count;
    const std::uint32_t share = last ? left : rng.uniform(left + 1);
    config.weights[i] = {.exponent = exponents[i], .per_mille = static_cast<std::uint16_t>(share)};
    left -= share;
  }
}

/// Any configuration that is played.
[[nodiscard]] inline g2048::Config draw_config(Rng& rng) {
  g2048::Config config;
  config.size = static_cast<std::uint8_t>(2 + rng.uniform(7));
  if (rng.uniform(2) == 0) {
    draw_weights(config, rng.uniform(2) == 0 ? g2048::kSpawnExponentMax : g2048::Exponent{8}, rng);
  }
  const std::uint32_t cells = std::uint32_t{config.size} * config.size;
  config.start_tiles = static_cast<std::uint8_t>(1 + rng.uniform(rng.uniform(2) == 0 ? 3 : cells));
  if (rng.uniform(3) == 0) {
    config.start_exponent = static_cast<g2048::Exponent>(1 + rng.uniform(30));
  }
  config.objective = static_cast<g2048::Exponent>(2 + rng.uniform(30));
  config.stop_at_objective = rng.uniform(2) == 0;
  return config;
}

}  // namespace tesela::test
