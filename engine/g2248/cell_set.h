// Sets of cells as bits, and the neighbourhoods of a board on them, for the hints.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/g2248/board.h"

namespace tesela::g2248 {

/// A set of cells of a board of at most 64.
using Bits64 = std::uint64_t;
/// A set of cells of any board.
__extension__ using Bits128 = unsigned __int128;

[[nodiscard]] constexpr int count(Bits64 set) {
  return std::popcount(set);
}
[[nodiscard]] constexpr int count(Bits128 set) {
  return count(static_cast<Bits64>(set)) + count(static_cast<Bits64>(set >> 64U));
}

/// The lowest cell of a set that is not empty.
[[nodiscard]] constexpr Cell lowest(Bits64 set) {
  return static_cast<Cell>(std::countr_zero(set));
}
[[nodiscard]] constexpr Cell lowest(Bits128 set) {
  const auto low = static_cast<Bits64>(set);
  return low != 0 ? lowest(low) : static_cast<Cell>(64 + lowest(static_cast<Bits64>(set >> 64U)));
}

template <class Bits>
[[nodiscard]] constexpr Bits set_of(Cell cell) {
  return Bits{1} << cell;
}

/// Calls `visit(cell)` for each cell of a set, in ascending order.
template <class Bits, class Visit>
constexpr void for_each_cell(Bits set, Visit&& visit) {
  for (; set != 0; set &= set - 1) {
    visit(lowest(set));
  }
}

/// The shape of a board that `Bits` holds.
template <class Bits>
class Shape {
 public:
  constexpr Shape(std::uint8_t rows, std::uint8_t columns) : columns_{columns} {
    for (std::uint8_t row = 0; row < rows; ++row) {
      first_column_ |= Bits{1} << (row * columns);
    }
    for (std::uint8_t column = 0; column < columns; ++column) {
      all_ |= first_column_ << column;
    }
  }

  /// The cells of a set and all their neighbours.
  [[nodiscard]] constexpr Bits grown(Bits set) const {
    const Bits right = (set << 1U) & ~first_column_ & all_;
    const Bits left = (set & ~first_column_) >> 1U;
    const Bits wide = set | right | left;
    return (wide | (wide << columns_) | (wide >> columns_)) & all_;
  }

  /// The cells of `within` that can be reached from `from` in it; `from` is among them.
  [[nodiscard]] constexpr Bits flooded(Bits from, Bits within) const {
    for (;;) {
      const Bits more = from | (grown(from) & within);
      if (more == from) {
        return from;
      }
      from = more;
    }
  }

  [[nodiscard]] constexpr Bits column_of(Cell cell) const {
    return first_column_ << (cell % columns_);
  }

  /// The cells under a cell, in its column.
  [[nodiscard]] constexpr Bits below(Cell cell) const {
    return column_of(cell) & ~((Bits{2} << cell) - 1);
  }

  [[nodiscard]] constexpr Bits all() const { return all_; }
  [[nodiscard]] constexpr std::uint8_t columns() const { return columns_; }

 private:
  std::uint8_t columns_;
  Bits first_column_{};
  Bits all_{};
};

}  // namespace tesela::g2248
