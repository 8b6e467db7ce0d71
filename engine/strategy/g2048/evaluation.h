// How good a board of 2048 looks, line by line.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/g2048/board.h"
#include "engine/g2048/packed_board.h"

namespace tesela::g2048 {

/// More is better. Whole numbers, so that the order of additions does not matter.
using Worth = std::int64_t;

/// The weights of a line's features. The form is that of nneonneo/2048-ai (MIT licence): empty
/// cells and neighbours that can merge are good; a line that rises and falls again is bad, and so
/// are many tiles of middling size.
struct LineWeights {
  double base{};         // of any line, so that a board in play is worth more than a lost game
  double empty{};        // for each empty cell
  double merge{};        // for each tile in a run of equal ones
  double slope{};        // against what the line lacks to rise, or to fall, all along
  double slope_power{};  // of the exponents in the slope
  double sum{};          // against the sum of the exponents
  double sum_power{};    // of the exponents in the sum

  bool operator==(const LineWeights&) const = default;
};

/// Lines at the edge of a board and lines inside it.
struct BoardWeights {
  LineWeights edge;
  LineWeights inside;
};

/// Those of a public program. What tuning them by self-play gave: README.md.
[[nodiscard]] const BoardWeights& standard_weights();

/// Of a game that is lost.
inline constexpr Worth kLostWorth = 0;
/// Of a game that has stopped at its objective: more than of any board in play.
inline constexpr Worth kWonWorth = Worth{1} << 23U;

/// The worth of a board in play whose lines are worth `lines` together: as much, but always more
/// than a game that is lost. Large tiles that are scattered can take more from the lines than there
/// is; such boards keep their order.
template <std::floating_point Number>
[[nodiscard]] constexpr Number in_play(Number lines) {
  constexpr Number kLow = 100'000;
  return lines >= kLow ? lines : kLow * kLow / (2 * kLow - lines);
}

/// The worth of any line.
class LineWorth {
 public:
  explicit LineWorth(const LineWeights& weights);

  [[nodiscard]] Worth of(std::span<const Exponent> line) const;

 private:
  using Powers = std::array<double, kExponentMax + 1>;

  /// What the line lacks to rise, or to fall, all along, whichever is less.
  [[nodiscard]] double roughness(std::span<const Exponent> line) const;

  LineWeights weights_;
  Powers slope_{};  // of each exponent
  Powers sum_{};
};

/// A packed row after a slide, and its worth then. Two tiles of 2^15 make one of 2^15 here.
struct RowMoves {
  std::uint16_t left{};
  std::uint16_t right{};
  std::int32_t left_worth{};
  std::int32_t right_worth{};
};

/// For each of the 2^16 packed rows what it is worth, and what it becomes: at an edge of a board
/// and inside it, one table for both where the weights are the same. Copies share the tables.
class RowWorths {
 public:
  /// Of the tuned weights. Made on the first call; safe from any thread.
  [[nodiscard]] static const RowWorths& get();

  explicit RowWorths(const BoardWeights& weights);

  [[nodiscard]] const RowMoves& edge_moves(std::uint64_t row) const { return edge_->moves[row]; }
  [[nodiscard]] const RowMoves& inside_moves(std::uint64_t row) const {
    return inside_->moves[row];
  }

  /// Of the four rows of a board as PackedBoard::bits() has it.
  [[nodiscard]] std::int32_t of_rows(std::uint64_t tiles) const {
    return edge_->worths[tiles & 0xffff] + inside_->worths[tiles >> 16 & 0xffff] +
           inside_->worths[tiles >> 32 & 0xffff] + edge_->worths[tiles >> 48];
  }

 private:
  static constexpr std::size_t kRows = std::size_t{1} << 16U;

  struct Tables {
    explicit Tables(const LineWeights& weights);

    std::array<std::int32_t, kRows> worths;
    std::array<RowMoves, kRows> moves;
  };

  std::shared_ptr<const Tables> edge_;
  std::shared_ptr<const Tables> inside_;
};

/// Of a board in play, by the tuned weights.
[[nodiscard]] double worth_of(const Board& board, std::uint8_t size);
[[nodiscard]] inline double worth_of(const PackedBoard& board, std::uint8_t /*size*/) {
  const RowWorths& worths = RowWorths::get();
  return in_play<double>(worths.of_rows(board.bits()) +
                         worths.of_rows(PackedBoard::transposed(board.bits())));
}

}  // namespace tesela::g2048
