// The wall of a board: the places of the colours, the score of a tile, complete lines.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/azul/colour.h"

namespace tesela::azul {

/// Rows and columns of a wall, and pattern lines of a board.
inline constexpr unsigned kRows = 5;

/// A set of cells: bit row * 5 + column.
using Cells = std::uint32_t;
/// A set of places in one row or column: bit n is place n.
using Run = unsigned;

/// The cell of the wall that a colour has in a row (RULES.md).
[[nodiscard]] constexpr unsigned wall_cell(unsigned row, Colour colour) {
  return row * kRows + (static_cast<unsigned>(colour) + row) % kRows;
}

/// The colour that belongs in a cell.
[[nodiscard]] constexpr Colour wall_colour(unsigned cell) {
  const unsigned row = cell / kRows;
  return static_cast<Colour>((cell % kRows + kRows - row) % kRows);
}

/// The points of a new tile (R-AZ-8).
struct TileScore {
  Run across;  // the columns that count in its row, the tile's own among them
  Run down;    // the rows that count in its column, the tile's own among them; 0 if it stands alone

  friend bool operator==(const TileScore&, const TileScore&) = default;
};

/// The bonuses of a finished wall (R-AZ-11).
struct Completed {
  std::uint8_t rows{};
  std::uint8_t columns{};
  std::uint8_t colours{};

  friend bool operator==(const Completed&, const Completed&) = default;
};

inline constexpr unsigned kRowBonus = 2;
inline constexpr unsigned kColumnBonus = 7;
inline constexpr unsigned kColourBonus = 10;

/// All bonuses of a wall together.
[[nodiscard]] constexpr unsigned bonus(const Completed& completed) {
  return completed.rows * kRowBonus + completed.columns * kColumnBonus +
         completed.colours * kColourBonus;
}

/// The tiles on a wall.
class Wall {
 public:
  constexpr Wall() = default;
  constexpr explicit Wall(Cells tiled) : tiled_{tiled} {}

  [[nodiscard]] constexpr Cells tiled() const { return tiled_; }
  [[nodiscard]] constexpr bool has(unsigned cell) const { return (tiled_ >> cell & 1) != 0; }
  constexpr void tile(unsigned cell) { tiled_ |= Cells{1} << cell; }

  /// The tiles of a row, by columns.
  [[nodiscard]] constexpr Run row(unsigned row) const { return tiled_ >> (kRows * row) & kFull; }
  /// The tiles of a column, by rows.
  [[nodiscard]] constexpr Run column(unsigned column) const {
    // Multiplied, bit 5 * row of the first factor arrives at 20 + row, and nothing else between.
    return static_cast<Run>((tiled_ >> column & kFirstColumn) * kGather >> 20 & kFull);
  }

  /// The points of the tile that has come to `cell` last (R-AZ-8).
  [[nodiscard]] unsigned points(unsigned cell) const;
  /// The same, and which cells make them.
  [[nodiscard]] TileScore score(unsigned cell) const;

  [[nodiscard]] constexpr bool has_complete_row() const {
    const Cells pairs = tiled_ & tiled_ >> 1;
    return (pairs & pairs >> 2 & tiled_ >> 4 & kFirstColumn) != 0;
  }
  [[nodiscard]] Completed completed() const;

  friend constexpr bool operator==(Wall, Wall) = default;

 private:
  static constexpr Run kFull = 0x1f;
  static constexpr Cells kFirstColumn = 0x108421;
  static constexpr std::uint64_t kGather = 0x111110;

  Cells tiled_{0};
};

/// The tiles without a gap through each place of a row or a column, for every set of tiles.
inline constexpr auto kRuns = [] {
  std::array<std::array<std::uint8_t, kRows>, 32> runs{};
  for (Run tiles = 0; tiles < runs.size(); ++tiles) {
    for (unsigned place = 0; place < kRows; ++place) {
      Run run = tiles & 1U << place;
      for (unsigned step = 1; step < kRows; ++step) {
        run |= (run << 1 | run >> 1) & tiles;
      }
      runs[tiles][place] = static_cast<std::uint8_t>(run);
    }
  }
  return runs;
}();

/// How long these runs are.
inline constexpr auto kRunLengths = [] {
  std::array<std::array<std::uint8_t, kRows>, 32> lengths{};
  for (std::size_t tiles = 0; tiles < lengths.size(); ++tiles) {
    for (std::size_t place = 0; place < kRows; ++place) {
      lengths[tiles][place] = static_cast<std::uint8_t>(std::popcount(kRuns[tiles][place]));
    }
  }
  return lengths;
}();

inline unsigned Wall::points(unsigned cell) const {
  const unsigned across = kRunLengths[row(cell / kRows)][cell % kRows];
  const unsigned down = kRunLengths[column(cell % kRows)][cell / kRows];
  // A run of one does not count, but where both are: then the tile scores 1.
  const unsigned ones = (across == 1 ? 1 : 0) + (down == 1 ? 1 : 0);
  return across + down - ones + ones / 2;
}

inline TileScore Wall::score(unsigned cell) const {
  const Run across = kRuns[row(cell / kRows)][cell % kRows];
  const Run down = kRuns[column(cell % kRows)][cell / kRows];
  const bool down_counts = !std::has_single_bit(down);
  const bool across_counts = !std::has_single_bit(across) || !down_counts;
  return {.across = across_counts ? across : 0, .down = down_counts ? down : 0};
}

inline Completed Wall::completed() const {
  Completed completed;
  for (unsigned line = 0; line < kRows; ++line) {
    completed.rows += row(line) == kFull;
    completed.columns += column(line) == kFull;
  }
  for (const Colour colour : kColours) {
    bool complete = true;
    for (unsigned row = 0; row < kRows; ++row) {
      complete = complete && has(wall_cell(row, colour));
    }
    completed.colours += complete;
  }
  return completed;
}

}  // namespace tesela::azul
