// A 4 × 4 board in one 64-bit word, for searches and simulations: a move is four look-ups in tables
// that the rule of a line (line.h) has filled.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/g2048/config.h"
#include "engine/g2048/direction.h"

namespace tesela::g2048 {

/// The result of the rule of a line for each of the 2^16 packed rows. Place p of a row is nibble p.
class RowTables {
 public:
  /// Made on the first call; safe from any thread.
  [[nodiscard]] static const RowTables& get();

  static constexpr unsigned kMovesLeft = 1;
  static constexpr unsigned kMovesRight = 2;
  /// Some move makes a tile that four bits cannot hold.
  static constexpr unsigned kOutgrows = 16;

  /// A union of the flags above.
  [[nodiscard]] unsigned flags(std::uint64_t row) const { return flags_[row]; }
  /// The row moved to the left or to the `right`, in the low half, and a quarter of the points in
  /// the high half. Not for a row that outgrows.
  [[nodiscard]] std::uint32_t moved(bool right, std::uint64_t row) const {
    return moved_[right ? 1 : 0][row];
  }

 private:
  static constexpr std::size_t kRows = 1U << 16;

  RowTables();
  void fill(std::uint32_t row, bool right);

  std::array<std::array<std::uint32_t, kRows>, 2> moved_{};
  std::array<std::uint8_t, kRows> flags_{};
};

/// Equivalent to a Board of size 4, as long as no tile is larger than 2^15.
class PackedBoard {
 public:
  static constexpr std::uint8_t kSize = 4;
  static constexpr Exponent kLargestTile = 15;
  /// A cell: the low bit of its nibble.
  using Place = std::uint64_t;

  /// Whether a game with these cells can go on here.
  [[nodiscard]] static bool holds(const Config& config, const Cells& cells);

  /// Empty.
  PackedBoard() = default;
  /// `cells` must be such as `holds` accepts.
  explicit PackedBoard(const Cells& cells);

  [[nodiscard]] Cells cells() const;
  /// The whole board as a number: cell n is nibble n.
  [[nodiscard]] std::uint64_t bits() const { return tiles_; }

  /// A line as RowTables has it, from the left or from the top; `index` is less than kSize.
  [[nodiscard]] std::uint64_t row(int index) const { return row(tiles_, index); }
  [[nodiscard]] std::uint64_t column(int index) const { return row(transposed(tiles_), index); }

  /// The legal moves: bit n is set for direction n. When a move would make a larger tile, a higher
  /// bit is set too: then `slide` must not be called, and the game goes on with a Board.
  [[nodiscard]] unsigned legal() const { return flags(tiles_) | flags(transposed(tiles_)) << 2; }

  /// Returns the points (R-2048-3).
  std::uint64_t slide(Direction direction) {
    // Which way a random game goes cannot be foreseen, so nothing here branches on it.
    const auto bits = static_cast<unsigned>(direction);
    const std::uint64_t vertical = -std::uint64_t{bits >> 1};
    const std::uint64_t lines = tiles_ ^ ((tiles_ ^ transposed(tiles_)) & vertical);
    std::uint64_t quarters = 0;
    const std::uint64_t moved = rows_moved((bits & 1) != 0, lines, quarters);
    tiles_ = moved ^ ((moved ^ transposed(moved)) & vertical);
    return quarters * 4;
  }

  [[nodiscard]] std::uint32_t empty_count() const {
    const std::uint64_t empty = empty_cells(tiles_);
    const std::uint64_t pairs = (empty + (empty >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return static_cast<std::uint32_t>((pairs * 0x0101010101010101) >> 56);
  }

  /// The `nth` empty cell, from 0, in row-major order. `nth` is less than empty_count().
  [[nodiscard]] Place nth_empty(std::uint32_t nth) const {
    const std::uint64_t empty = empty_cells(tiles_);
    // Nibble n counts the empty cells up to n (modulo 16, which 16 empty cells do not confuse).
    const std::uint64_t counts = empty * kEachCell;
    const std::uint64_t wanted = (std::uint64_t{nth} + 1) % 16 * kEachCell;
    return empty_cells(counts ^ wanted) & empty;
  }

  /// Fills an empty cell.
  void put(Place place, Exponent exponent) { tiles_ |= place * exponent; }

  [[nodiscard]] Exponent largest() const {
    Exponent largest = 0;
    for (std::uint64_t tiles = tiles_; tiles != 0; tiles >>= 4) {
      largest = std::max(largest, static_cast<Exponent>(tiles & 0xf));
    }
    return largest;
  }

  /// The low bit of every nibble of bits() that is 0.
  [[nodiscard]] static constexpr std::uint64_t empty_cells(std::uint64_t tiles) {
    tiles |= tiles >> 2;
    tiles |= tiles >> 1;
    return ~tiles & kEachCell;
  }

  /// Of bits(): rows become columns. Source: Hacker's Delight, section 7-3.
  [[nodiscard]] static constexpr std::uint64_t transposed(std::uint64_t tiles) {
    std::uint64_t swap = (tiles ^ (tiles >> 12)) & 0x0000f0f00000f0f0;
    tiles ^= swap ^ (swap << 12);
    swap = (tiles ^ (tiles >> 24)) & 0x00000000ff00ff00;
    return tiles ^ swap ^ (swap << 24);
  }

  /// A row as the first column of a board that is empty else, as transposed() has it.
  [[nodiscard]] static constexpr std::uint64_t as_column(std::uint64_t row) {
    row = (row | row << 24) & 0x000000ff000000ff;
    return (row | row << 12) & 0x000f000f000f000f;
  }

 private:
  static constexpr std::uint64_t kEachCell = 0x1111111111111111;

  [[nodiscard]] static constexpr std::uint64_t row(std::uint64_t tiles, int index) {
    return tiles >> (16 * index) & 0xffff;
  }

  [[nodiscard]] unsigned flags(std::uint64_t tiles) const {
    return rows_->flags(row(tiles, 0)) | rows_->flags(row(tiles, 1)) | rows_->flags(row(tiles, 2)) |
           rows_->flags(row(tiles, 3));
  }

  [[nodiscard]] std::uint64_t rows_moved(bool right, std::uint64_t tiles,
                                         std::uint64_t& quarters) const {
    std::uint64_t moved = 0;
    for (int index = 0; index < kSize; ++index) {
      const std::uint32_t entry = rows_->moved(right, row(tiles, index));
      moved |= std::uint64_t{entry & 0xffff} << (16 * index);
      quarters += entry >> 16;
    }
    return moved;
  }

  const RowTables* rows_{&RowTables::get()};  // here, so that a loop asks for it once
  std::uint64_t tiles_{0};                    // cell n is nibble n
};

}  // namespace tesela::g2048
