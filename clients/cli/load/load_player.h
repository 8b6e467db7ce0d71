// Plays 2048 for the load client: well enough for long games, and so fast that it does not distort
// the measurement.
#pragma once

#include <array>
#include <cstdint>

#include "engine/g2048/config.h"
#include "engine/g2048/direction.h"
#include "engine/g2048/packed_board.h"

namespace tesela::cli {

/// Looks one move ahead, for a board of 4 × 4 on which no tile is larger than 2^15.
class LoadPlayer {
 public:
  /// Made on the first call; safe from any thread.
  [[nodiscard]] static const LoadPlayer& get();

  /// The legal move with the best resulting board. `board` has a legal move.
  [[nodiscard]] g2048::Direction choose(const g2048::PackedBoard& board) const;

 private:
  LoadPlayer();
  [[nodiscard]] int order(const g2048::PackedBoard& board) const;

  std::array<std::int8_t, 1U << 16> lines_{};  // the value of each packed line, for `order`
};

}  // namespace tesela::cli
