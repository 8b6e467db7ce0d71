// How good a board of 2048 looks, line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/g2048/board.h"
#include "engine/g2048/packed_board.h"

namespace tesela::g2048 {

/// More is better; a sum of at most 2 * kSizeMax lines. Of any line it is at least 0.
using Worth = std::int64_t;

/// Of a game that is lost.
inline constexpr Worth kLostWorth = 0;
/// Of a game that has stopped at its objective: more than of any board in play.
inline constexpr Worth kWonWorth = Worth{1} << 40U;

/// Of one line: empty cells and neighbours that can merge are good, a line that rises and falls
/// again is bad, and so are many tiles of middling size. After nneonneo/2048-ai (MIT licence), in
/// whole numbers.
[[nodiscard]] Worth line_worth(std::span<const Exponent> line);

/// The worth of each of the 2^16 packed rows.
class RowWorths {
 public:
  /// Made on the first call; safe from any thread.
  [[nodiscard]] static const RowWorths& get();

  [[nodiscard]] Worth of(std::uint64_t row) const { return worths_[row]; }

 private:
  RowWorths();

  std::vector<Worth> worths_;
};

/// Of all rows and columns.
[[nodiscard]] Worth worth_of(const Board& board, std::uint8_t size);
[[nodiscard]] inline Worth worth_of(const PackedBoard& board, std::uint8_t /*size*/) {
  const RowWorths& worths = RowWorths::get();
  Worth sum = 0;
  for (int index = 0; index < PackedBoard::kSize; ++index) {
    sum += worths.of(board.row(index)) + worths.of(board.column(index));
  }
  return sum;
}

}  // namespace tesela::g2048
