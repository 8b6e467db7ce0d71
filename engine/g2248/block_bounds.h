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

/// Upper bounds by the blocks of the tiles (their parts that no single tile separates): a path from
/// one tile leaves a block only through one of its tiles, so it visits the blocks of one way down
/// the tree that they form, and after its last tile goes down a level from there.
/// Source: R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972).
template <class Bits>
class BlockBounds {
 public:
  /// `levels` must outlive it.
  explicit BlockBounds(const Levels<Bits>& levels) : levels_{levels} {}

  /// Bounds every tile, once: from the lowest level up, because each rests on those below.
  void prepare() {
    if (prepared_) {
      return;
    }
    prepared_ = true;
    for (std::size_t index = 0; index < levels_.size(); ++index) {
      const Component<Bits>& component = levels_[index];
      for_each_cell(component.cells, [&](Cell cell) {
        from_[cell] = component.bound == 0 ? 0
                                           : tile_value(component.exponent) +
                                                 behind(cell, component.cells, component.exponent);
      });
    }
  }

  /// An upper bound of the sum of a chain that goes down from this tile. After prepare().
  [[nodiscard]] std::uint64_t from(Cell cell) const { return from_[cell]; }

  /// Lowers that bound.
  void learn(Cell cell, std::uint64_t bound) { from_[cell] = std::min(from_[cell], bound); }

  /// An upper bound of the sum of a path of tiles of `reach` that begins in `cell` and continues on
  /// lower levels. `cell`, which is in `reach`, is not counted. After prepare().
  std::uint64_t behind(Cell cell, Bits reach, Exponent exponent) {
    within_ = reach;
    fresh_ = reach;
    under_ = exponent == 1 ? Bits{0} : levels_.at(static_cast<Exponent>(exponent - 1));
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
    best_[cell] = 0;
    for_each_cell(levels_.around(cell) & under_,
                  [&](Cell under) { best_[cell] = std::max(best_[cell], from_[under]); });
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
  Bits under_{};  // the tiles of the level under it
  Exponent exponent_{};
  bool prepared_{false};
  int visits_{0};
  std::size_t stack_size_{0};
  std::array<int, kCellsMax> visit_{};
  std::array<Cell, kCellsMax> stack_{};
  std::array<std::uint64_t, kCellsMax> best_{};  // behind a cell, of the last visit
  std::array<std::uint64_t, kCellsMax> from_{};
};

}  // namespace tesela::g2248
