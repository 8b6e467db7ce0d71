// Plays 2048 under load: well enough that a game lasts, quickly enough not to weigh on what is
// measured.
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

  /// The legal move after which the board is in the best order. `board` has a legal move.
  [[nodiscard]] g2048::Direction choose(const g2048::PackedBoard& board) const;

 private:
  LoadPlayer();
  [[nodiscard]] int order(const g2048::PackedBoard& board) const;

  std::array<std::int8_t, 1U << 16> lines_{};  // how good each packed line is, for `order`
};

}  // namespace tesela::cli
