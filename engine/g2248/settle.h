// The end of every move: tiles fall, and empty cells are refilled (R-2248-5, 7).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/core/rng.h"
#include "engine/g2248/board.h"

namespace tesela::g2248 {

/// The exponents that a refill draws from, both included.
struct RefillRange {
  Exponent low;
  Exponent high;

  friend bool operator==(const RefillRange&, const RefillRange&) = default;
};

/// R-2248-7; `largest` is the largest exponent on the board after the sum, at least 1.
[[nodiscard]] constexpr RefillRange refill_range(Exponent largest) {
  constexpr Exponent kSpan = 8;
  if (largest == 1) {
    return {.low = 1, .high = 1};
  }
  return {.low = static_cast<Exponent>(largest > kSpan ? largest - kSpan : 1),
          .high = static_cast<Exponent>(largest - 1)};
}

/// The largest exponent on a board.
[[nodiscard]] constexpr Exponent largest(BoardView board) {
  return std::ranges::max(board.cells);
}

/// In every column the tiles sink, their order kept. Calls `moved(from, to)` for each tile that
/// moves: columns from the left, in each from the bottom.
template <std::size_t Capacity, class Moved>
constexpr void fall(BoardOf<Capacity>& board, Moved&& moved) {
  for (int column = 0; column < board.columns; ++column) {
    int free = static_cast<int>(board.size()) - board.columns + column;
    for (int cell = free; cell >= 0; cell -= board.columns) {
      const Exponent tile = board.cells[static_cast<std::size_t>(cell)];
      if (tile == 0) {
        continue;
      }
      if (cell != free) {
        board.cells[static_cast<std::size_t>(cell)] = 0;
        board.cells[static_cast<std::size_t>(free)] = tile;
        moved(static_cast<Cell>(cell), static_cast<Cell>(free));
      }
      free -= board.columns;
    }
  }
}

/// Draws every empty cell, row-major, and calls `filled(cell)` for it. `range` is that of the board
/// after the sum. Draws nothing for a range of one exponent.
template <std::size_t Capacity, class Filled>
void refill(BoardOf<Capacity>& board, RefillRange range, Rng& rng, Filled&& filled) {
  const std::uint32_t choices = range.high - range.low + 1U;
  for (std::size_t cell = 0; cell < board.size(); ++cell) {
    if (board.cells[cell] == 0) {
      const std::uint32_t drawn = choices == 1 ? 0 : rng.uniform(choices);
      board.cells[cell] = static_cast<Exponent>(range.low + drawn);
      filled(static_cast<Cell>(cell));
    }
  }
}

}  // namespace tesela::g2248
