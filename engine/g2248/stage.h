// The stages of a move, as clients show them (R-2248-5, 8).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/grid.h"
#include "engine/g2248/board.h"

namespace tesela::g2248 {

enum class StageKind : std::uint8_t { kSum, kClear, kFall, kRefill };

/// One stage. A chain has sum, clear, fall and refill, the booster clear, fall and refill; none is
/// left out.
struct Stage {
  StageKind kind{};
  Board board{};  // after the stage

  /// Clear: from every cell of the chain (in its order) or of each group (row-major) to the cell of
  /// the sum, all merged. Fall: every tile that moves, columns from the left, each from the bottom.
  std::vector<Motion> motions{};
  std::vector<Cell> refilled{};  // refill: the cells that were drawn, ascending
  std::uint64_t points{};        // sum: V; otherwise 0
  bool goal_reached{};           // sum: whether the points reached the goal

  friend bool operator==(const Stage&, const Stage&) = default;
};

/// A board of any capacity as a stage holds it.
template <std::size_t Capacity>
[[nodiscard]] constexpr Board full_size(const BoardOf<Capacity>& board) {
  Board full{.rows = board.rows, .columns = board.columns, .cells = {}};
  std::ranges::copy(board.used(), full.cells.begin());
  return full;
}

}  // namespace tesela::g2248
