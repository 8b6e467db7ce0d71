// The last moves of a look ahead in 2048.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "engine/g2048/packed_board.h"
#include "engine/strategy/g2048/evaluation.h"

namespace tesela::g2048 {

/// The legal moves of a board.
struct LastMovesFound {
  std::int32_t most{std::numeric_limits<std::int32_t>::min()};  // the worth of the lines then
  unsigned count{0};
};

/// The moves along the rows of a board that gets one more tile, for each place of that tile. Only
/// the row that it is put in becomes something else, so the others are moved once.
class LastMovesAlongRows {
 public:
  /// Of a board as PackedBoard::bits() has it. `worths` must outlive this.
  LastMovesAlongRows(const RowWorths& worths, std::uint64_t board)
      : worths_{worths},
        board_{board},
        rows_{&worths.edge_moves(tiles_of(board, 0)), &worths.inside_moves(tiles_of(board, 1)),
              &worths.inside_moves(tiles_of(board, 2)), &worths.edge_moves(tiles_of(board, 3))} {
    for (unsigned row = 0; row < rows_.size(); ++row) {
      left_.add(row, tiles_of(board, row), rows_[row]->left, rows_[row]->left_worth);
      right_.add(row, tiles_of(board, row), rows_[row]->right, rows_[row]->right_worth);
    }
    left_.columns = PackedBoard::transposed(left_.columns);
    right_.columns = PackedBoard::transposed(right_.columns);
  }

  /// Adds the moves of the board with `exponent` at the empty cell `place` of `row`.
  void find(unsigned row, unsigned place, std::uint64_t exponent, LastMovesFound& found) const {
    const std::uint64_t tiles = tiles_of(board_, row) | exponent << (4 * place);
    const bool at_edge = row == 0 || row + 1 == rows_.size();
    const RowMoves& with = at_edge ? worths_.edge_moves(tiles) : worths_.inside_moves(tiles);
    const RowMoves& without = *rows_[row];
    if (with.left != tiles || left_.others_change(row)) {
      add(left_, row, with.left ^ without.left, with.left_worth - without.left_worth, found);
    }
    if (with.right != tiles || right_.others_change(row)) {
      add(right_, row, with.right ^ without.right, with.right_worth - without.right_worth, found);
    }
  }

 private:
  /// The board after a move, without the new tile.
  struct Moved {
    std::uint64_t columns{0};
    std::int32_t rows_worth{0};
    unsigned changed_rows{0};

    void add(unsigned row, std::uint64_t tiles, std::uint64_t moved, std::int32_t worth) {
      columns |= moved << (16 * row);
      rows_worth += worth;
      changed_rows |= (moved != tiles ? 1U : 0U) << row;
    }
    [[nodiscard]] bool others_change(unsigned row) const {
      return (changed_rows & ~(1U << row)) != 0;
    }
  };

  void add(const Moved& without, unsigned row, unsigned difference, std::int32_t gain,
           LastMovesFound& found) const {
    const std::uint64_t columns = without.columns ^ PackedBoard::as_column(difference) << (4 * row);
    found.most = std::max(found.most, without.rows_worth + gain + worths_.of_rows(columns));
    ++found.count;
  }

  [[nodiscard]] static std::uint64_t tiles_of(std::uint64_t board, unsigned row) {
    return board >> (16 * row) & 0xffff;
  }

  const RowWorths& worths_;
  std::uint64_t board_;
  std::array<const RowMoves*, PackedBoard::kSize> rows_;
  Moved left_;
  Moved right_;
};

/// The moves of a board that gets one more tile.
class LastMoves {
 public:
  /// As LastMovesAlongRows.
  LastMoves(const RowWorths& worths, std::uint64_t board)
      : along_rows_{worths, board}, along_columns_{worths, PackedBoard::transposed(board)} {}

  /// With `exponent` at an empty cell.
  [[nodiscard]] LastMovesFound with(PackedBoard::Place place, std::uint64_t exponent) const {
    const auto cell = static_cast<unsigned>(std::countr_zero(place)) / 4;
    const unsigned row = cell / PackedBoard::kSize;
    const unsigned column = cell % PackedBoard::kSize;
    LastMovesFound found;
    along_rows_.find(row, column, exponent, found);
    along_columns_.find(column, row, exponent, found);
    return found;
  }

 private:
  LastMovesAlongRows along_rows_;
  LastMovesAlongRows along_columns_;
};

}  // namespace tesela::g2048
