// How a new tile comes (R-2048-4), on any kind of board.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/rng.h"
#include "engine/g2048/config.h"

namespace tesela::g2048 {

/// The exponent that one draw gives, by the cumulative weights.
[[nodiscard]] inline Exponent draw_exponent(const Config& config, Rng& rng) {
  const std::uint32_t drawn = rng.uniform(kPerMille);
  // Counts instead of stopping early: which weight is drawn cannot be foreseen by a branch either.
  std::size_t passed = 0;
  std::uint32_t cumulative = 0;
  for (std::size_t i = 0; i + 1 < config.weight_count; ++i) {
    cumulative += config.weights[i].per_mille;
    passed += drawn >= cumulative ? 1 : 0;
  }
  return config.weights[passed].exponent;
}

/// Puts one tile on a board with an empty cell: draws the cell, then the value, unless it is
/// `given` (not kDrawn). Returns the cell, as the board names cells.
template <class AnyBoard>
auto spawn(AnyBoard& board, const Config& config, Exponent given, Rng& rng) {
  const auto place = board.nth_empty(rng.uniform(board.empty_count()));
  board.put(place, given != kDrawn ? given : draw_exponent(config, rng));
  return place;
}

}  // namespace tesela::g2048
