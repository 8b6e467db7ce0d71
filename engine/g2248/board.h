// A board of 2248 as a value (R-2248-1), and the neighbours of its cells.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/g2248/config.h"

namespace tesela::g2248 {

/// A flat index, row * columns + column.
using Cell = std::uint8_t;

/// A board of at most `Capacity` cells, row-major; the cells after rows * columns are 0.
template <std::size_t Capacity>
struct BoardOf {
  std::uint8_t rows{};
  std::uint8_t columns{};
  std::array<Exponent, Capacity> cells{};

  [[nodiscard]] constexpr std::size_t size() const { return std::size_t{rows} * columns; }
  [[nodiscard]] constexpr std::span<Exponent> used() { return std::span{cells}.first(size()); }
  [[nodiscard]] constexpr std::span<const Exponent> used() const {
    return std::span{cells}.first(size());
  }

  friend bool operator==(const BoardOf&, const BoardOf&) = default;
};

/// Holds every board that is played.
using Board = BoardOf<kCellsMax>;

/// The most cells of a SmallBoard.
inline constexpr std::size_t kSmallCellsMax = 62;
/// Holds 8 x 5 and all boards up to 62 cells in one cache line, for searches that copy many.
using SmallBoard = BoardOf<kSmallCellsMax>;
static_assert(sizeof(SmallBoard) == 64);

/// A view of a board of any rows and columns, also 1 x 1. Valid as long as the board
/// stays where it is. Every board converts to one.
struct BoardView {
  std::uint8_t rows;
  std::uint8_t columns;
  std::span<const Exponent> cells;

  template <std::size_t Capacity>
  // NOLINTNEXTLINE(google-explicit-constructor): a board is seen, not turned into something else
  constexpr BoardView(const BoardOf<Capacity>& board)
      : rows{board.rows}, columns{board.columns}, cells{board.used()} {}
};

/// The number of directions in which a cell has neighbours.
inline constexpr std::size_t kDirections = 8;

/// A step to a neighbour.
struct Direction {
  int down;
  int right;
};

/// Row-major: up-left, up, up-right, left, right, down-left, down, down-right.
inline constexpr std::array<Direction, kDirections> kNeighbours{
    {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

/// Calls `visit(direction, neighbour)` for each neighbour that `cell` has, in the order of
/// kNeighbours; `direction` is the index there.
template <class Visit>
constexpr void for_each_neighbour(std::uint8_t rows, std::uint8_t columns, Cell cell,
                                  Visit&& visit) {
  const int row = cell / columns;
  const int column = cell % columns;
  for (std::size_t direction = 0; direction < kDirections; ++direction) {
    const int r = row + kNeighbours[direction].down;
    const int c = column + kNeighbours[direction].right;
    if (r >= 0 && r < rows && c >= 0 && c < columns) {
      visit(direction, static_cast<Cell>(r * columns + c));
    }
  }
}

/// Whether two different cells touch, at a side or at a corner.
[[nodiscard]] constexpr bool are_neighbours(std::uint8_t columns, Cell a, Cell b) {
  const int down = a / columns - b / columns;
  const int right = a % columns - b % columns;
  return a != b && down >= -1 && down <= 1 && right >= -1 && right <= 1;
}

}  // namespace tesela::g2248
