// How much a path can still gather among equal tiles, when it can cross each place where they hang
// together by one tile only once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/g2248/cell_set.h"
#include "engine/g2248/levels.h"

namespace tesela::g2248 {

/// An upper bound by the blocks of the tiles (their parts that no single tile separates): a path
/// from one tile leaves a block only through one of its tiles, so it visits the blocks of one way
/// down the tree that they form, and after its last tile goes down a level from there.
/// Source: R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972).
template <class Bits>
class BlockBound {
 public:
  explicit BlockBound(const Levels<Bits>& levels) : levels_{levels} {}

  /// What a path of tiles of `reach` that begins in `cell` sums to at most, with all that follows
  /// on lower levels; `cell`, which is one of them, is not counted.
  std::uint64_t operator()(Cell cell, Bits reach, Exponent exponent) {
    within_ = reach;
    fresh_ = reach;
    exponent_ = exponent;
    visits_ = 0;
    stack_size_ = 0;
    visit(cell);
    return best_[cell];
  }

 private:
  /// Returns the earliest visit that this cell and those behind it touch.
  int visit(Cell cell) {
    const int visited = visits_++;
    int earliest = visited;
    visit_[cell] = visited;
    fresh_ &= ~set_of<Bits>(cell);
    stack_[stack_size_++] = cell;
    best_[cell] = levels_.bound_under(cell);
    for (Bits left = levels_.around(cell) & within_; left != 0; left &= left - 1) {
      const Cell to = lowest(left);
      if ((fresh_ & set_of<Bits>(to)) == 0) {
        earliest = std::min(earliest, visit_[to]);
        continue;
      }
      const int behind = visit(to);
      earliest = std::min(earliest, behind);
      if (behind >= visited) {
        close_block(cell, to);
      }
    }
    return earliest;
  }

  /// The block that hangs on `cell` and begins with `first` is all visited.
  void close_block(Cell cell, Cell first) {
    int tiles = 0;
    std::uint64_t beyond = 0;
    Cell tile{};
    do {
      tile = stack_[--stack_size_];
      ++tiles;
      beyond = std::max(beyond, best_[tile]);
    } while (tile != first);
    const std::uint64_t all = std::min(beyond + level_sum(tiles, exponent_), kBoundMax);
    best_[cell] = std::max(best_[cell], all);
  }

  const Levels<Bits>& levels_;
  Bits within_{};
  Bits fresh_{};  // not visited yet
  Exponent exponent_{};
  int visits_{0};
  std::size_t stack_size_{0};
  std::array<int, kCellsMax> visit_{};
  std::array<Cell, kCellsMax> stack_{};
  std::array<std::uint64_t, kCellsMax> best_{};  // to gather behind a cell
};

}  // namespace tesela::g2248
