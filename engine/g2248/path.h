// A path over the cells of a board, as a value without a heap.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "engine/g2248/board.h"

namespace tesela::g2248 {

/// Cells in the order in which they are drawn; at most kCellsMax of them, any at all.
class Path {
 public:
  constexpr Path() = default;
  constexpr Path(std::initializer_list<Cell> cells)
      : Path{std::span{cells.begin(), cells.size()}} {}
  constexpr explicit Path(std::span<const Cell> cells)
      : size_{static_cast<std::uint8_t>(cells.size())} {
    std::ranges::copy(cells, cells_.begin());
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr std::span<const Cell> cells() const {
    return std::span{cells_}.first(size_);
  }
  [[nodiscard]] constexpr Cell back() const { return cells_[size_ - 1U]; }

  constexpr void push_back(Cell cell) { cells_[size_++] = cell; }
  constexpr void pop_back() { --size_; }

  friend constexpr bool operator==(const Path& a, const Path& b) {
    return std::ranges::equal(a.cells(), b.cells());
  }

 private:
  std::uint8_t size_{0};
  std::array<Cell, kCellsMax> cells_{};
};

}  // namespace tesela::g2248
