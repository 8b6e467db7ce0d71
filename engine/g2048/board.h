// A board of any size and any tile: used by the server, and what a packed board turns into
// when a tile outgrows it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/g2048/config.h"
#include "engine/g2048/direction.h"
#include "engine/g2048/line.h"

namespace tesela::g2048 {

/// The cells of one line, from the edge to which the tiles move: `first`, `first + step`, ...
struct LineOfCells {
  std::ptrdiff_t first;
  std::ptrdiff_t step;

  [[nodiscard]] constexpr std::size_t cell(std::size_t place) const {
    return static_cast<std::size_t>(first + step * static_cast<std::ptrdiff_t>(place));
  }
};

/// Line `index` of a board, row or column, as a move in `direction` sees it.
[[nodiscard]] constexpr LineOfCells line_of(Direction direction, std::ptrdiff_t index,
                                            std::ptrdiff_t size) {
  switch (direction) {
    case Direction::kLeft:
      return {.first = index * size, .step = 1};
    case Direction::kRight:
      return {.first = index * size + size - 1, .step = -1};
    case Direction::kUp:
      return {.first = index, .step = size};
    case Direction::kDown:
      break;
  }
  return {.first = index + size * (size - 1), .step = -size};
}

/// Is told of the lines of a board and forgets them, in place of MoveStages (g2048.h).
struct UntoldBoard {
  constexpr UntoldBoard() = default;
  explicit constexpr UntoldBoard(const Cells& /*before*/) {}

  [[nodiscard]] constexpr Untold of(LineOfCells) const { return {}; }
  template <class Stages>
  constexpr void give(std::uint64_t /*points*/, Stages& /*stages*/) const {}
};

class Board {
 public:
  /// `size` is from kSizeMin to kSizeMax; the cells after size * size are 0.
  constexpr Board(std::uint8_t size, const Cells& cells) : size_{size}, cells_{cells} {}

  [[nodiscard]] constexpr const Cells& cells() const { return cells_; }

  /// Moves every line; `told.of(line)` gives what each line tells (line.h). Returns the points.
  template <class Told>
  constexpr std::uint64_t slide(Direction direction, Told&& told) {
    std::uint64_t points = 0;
    for (int index = 0; index < size_; ++index) {
      const LineOfCells line = line_of(direction, index, size_);
      Places places = places_of(line);
      auto line_told = told.of(line);
      points += collapse(std::span{places}.first(size_), line_told);
      for (std::size_t place = 0; place < size_; ++place) {
        cells_[line.cell(place)] = places[place];
      }
    }
    return points;
  }
  constexpr std::uint64_t slide(Direction direction) { return slide(direction, UntoldBoard{}); }

  /// Whether a move changes the board, which is what makes it legal (R-2048-2).
  [[nodiscard]] constexpr bool changes(Direction direction) const {
    for (int index = 0; index < size_; ++index) {
      const LineOfCells line = line_of(direction, index, size_);
      Exponent neighbour = cells_[line.cell(0)];
      for (std::size_t place = 1; place < size_; ++place) {
        const Exponent tile = cells_[line.cell(place)];
        if (gives_way(neighbour, tile)) {
          return true;
        }
        neighbour = tile;
      }
    }
    return false;
  }

  /// The legal moves: bit n is set for direction n.
  [[nodiscard]] constexpr unsigned legal() const {
    unsigned mask = 0;
    for (const Direction direction : kDirections) {
      mask |= (changes(direction) ? 1U : 0U) << static_cast<unsigned>(direction);
    }
    return mask;
  }

  [[nodiscard]] constexpr std::uint32_t empty_count() const {
    const auto used = std::span{cells_}.first(std::size_t{size_} * size_);
    return static_cast<std::uint32_t>(std::ranges::count(used, Exponent{0}));
  }

  /// The cell of the `nth` empty one, from 0, in row-major order. `nth` is less than empty_count().
  [[nodiscard]] constexpr std::uint8_t nth_empty(std::uint32_t nth) const {
    std::uint8_t cell = 0;
    while (cells_[cell] != 0 || nth-- != 0) {
      ++cell;
    }
    return cell;
  }

  constexpr void put(std::uint8_t cell, Exponent exponent) { cells_[cell] = exponent; }

  [[nodiscard]] constexpr Exponent largest() const { return std::ranges::max(cells_); }

 private:
  using Places = std::array<Exponent, kSizeMax>;

  [[nodiscard]] constexpr Places places_of(LineOfCells line) const {
    Places places{};
    for (std::size_t place = 0; place < size_; ++place) {
      places[place] = cells_[line.cell(place)];
    }
    return places;
  }

  std::uint8_t size_;
  Cells cells_;
};

}  // namespace tesela::g2048
