// The groups that the booster collapses (R-2248-8).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/core/result.h"
#include "engine/g2248/board.h"
#include "engine/g2248/chain.h"

namespace tesela::g2248 {

/// One group: its cells in ascending order.
struct Group {
  std::span<const Cell> cells;

  /// The cell that gets the sum: the rightmost one in the lowest row.
  [[nodiscard]] constexpr Cell sum_cell() const { return cells.back(); }
};

/// The 8-connected components of equal value that have at least two cells, in the order of their
/// first cells. A value; of the board only its shape and tiles at the time are kept.
class Groups {
 public:
  explicit Groups(BoardView board);

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] Group operator[](std::size_t index) const {
    return {std::span{cells_}.subspan(first_[index], first_[index + 1] - first_[index])};
  }

 private:
  std::size_t count_{0};
  std::array<Cell, kCellsMax> cells_{};                  // group after group
  std::array<std::uint8_t, kCellsMax / 2 + 1> first_{};  // of each group in cells_; then their end
};

/// Refuses with kIllegalMove a board without a group, and one with a group of more than 2^60.
[[nodiscard]] Expected<void> check_booster(BoardView board, const Groups& groups);

}  // namespace tesela::g2248
