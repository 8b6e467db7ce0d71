#include "engine/g2248/groups.h"

#include <algorithm>
#include <bitset>

namespace tesela::g2248 {

namespace {

using CellSet = std::bitset<kCellsMax>;

/// Appends the component of `start` to `cells`, from `count` on, and marks it as seen. Returns how
/// many cells there are then.
std::size_t flood(BoardView board, Cell start, CellSet& seen, std::span<Cell> cells,
                  std::size_t count) {
  std::size_t next = count;
  seen.set(start);
  cells[count++] = start;
  for (; next < count; ++next) {
    for_each_neighbour(board.rows, board.columns, cells[next], [&](std::size_t, Cell to) {
      if (!seen[to] && board.cells[to] == board.cells[start]) {
        seen.set(to);
        cells[count++] = to;
      }
    });
  }
  return count;
}

}  // namespace

Groups::Groups(BoardView board) {
  CellSet seen;
  std::size_t end = 0;
  for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
    if (seen[cell] || board.cells[cell] == 0) {
      continue;
    }
    const std::size_t flooded = flood(board, static_cast<Cell>(cell), seen, cells_, end);
    if (flooded - end > 1) {
      std::ranges::sort(std::span{cells_}.subspan(end, flooded - end));
      first_[++count_] = static_cast<std::uint8_t>(flooded);
      end = flooded;
    }
  }
}

Expected<void> check_booster(BoardView board, const Groups& groups) {
  if (groups.size() == 0) {
    return refuse(ErrorCode::kIllegalMove,
                  "The booster collapses groups of equal neighbours, and there is none.");
  }
  for (std::size_t index = 0; index < groups.size(); ++index) {
    if (value_of(board, groups[index].cells) == kTooLarge) {
      return refuse(ErrorCode::kIllegalMove,
                    "The booster would make a tile of more than 2^60, the largest there is.");
    }
  }
  return {};
}

}  // namespace tesela::g2248
