// The effect of a chain of 2248 on the board beside its points: whether chains are left, and tiles
// that no refill brings again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/g2248/board.h"
#include "engine/g2248/cell_set.h"
#include "engine/g2248/settle.h"

namespace tesela::g2248 {

/// The weights of a board's features after a move, when its tiles have fallen and before the
/// refill, in doublings of the score to come.
struct OutlookWeights {
  float value{};    // of the tile that was made, in doublings of the largest tile before
  float raise{};    // of the largest tile, in doublings
  float removed{};  // for each empty cell
  float pairs{};    // for each two equal neighbours
  float steps{};    // for each tile beside one of its double
  float stale{};    // for each tile smaller than any that a refill brings
  float low{};      // for each tile that is of the two smallest that a refill brings
};

/// Tuned by play: README.md.
inline constexpr OutlookWeights kOutlook{.value = 1.38F,
                                         .raise = 0.74F,
                                         .removed = 0.15F,
                                         .pairs = 2.07F,
                                         .steps = 0.53F,
                                         .stale = -0.03F,
                                         .low = -0.09F};

/// Looks at boards of one shape. `Bits` holds their cells.
template <class Bits>
class Outlook {
 public:
  Outlook(const OutlookWeights& weights, std::uint8_t rows, std::uint8_t columns)
      : weights_{weights}, columns_{columns} {
    for (std::size_t cell = 0; cell < std::size_t{rows} * columns; ++cell) {
      first_column_ |= cell % columns == 0 ? set_of<Bits>(static_cast<Cell>(cell)) : Bits{0};
      all_ |= set_of<Bits>(static_cast<Cell>(cell));
    }
    last_column_ = first_column_ << (columns - 1U);
  }

  /// Of a board after a move and the fall; `made` is the exponent of the tile that the move made
  /// and `top` the largest before it.
  [[nodiscard]] float of(BoardView board, Exponent made, Exponent top) const {
    std::array<Bits, kExponentMax + 2> at{};
    for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
      at[board.cells[cell]] |= set_of<Bits>(static_cast<Cell>(cell));
    }
    const Exponent largest = std::max(made, top);
    const RefillRange range = refill_range(largest);
    int pairs = 0;
    int steps = 0;
    int stale = 0;
    int low = 0;
    for (Exponent exponent = 1; exponent <= largest; ++exponent) {
      const Bits tiles = at[exponent];
      if (tiles == 0) {
        continue;
      }
      const Bits right = (tiles & ~last_column_) << 1U;
      const Bits down = tiles << columns_;
      const Bits down_right = right << columns_;
      const Bits down_left = ((tiles & ~first_column_) >> 1U) << columns_;
      pairs += count(tiles & right) + count(tiles & down) + count(tiles & down_right) +
               count(tiles & down_left);
      const Bits beside = tiles | right | ((tiles & ~first_column_) >> 1U);
      const Bits around = (beside | beside << columns_ | beside >> columns_) & all_;
      steps += count(around & at[exponent + 1U]);
      stale += exponent < range.low ? count(tiles) : 0;
      low += exponent >= range.low && exponent < range.low + 2 ? count(tiles) : 0;
    }
    const auto number = [](int value) { return static_cast<float>(value); };
    return weights_.value * number(made - top) + weights_.raise * number(largest - top) +
           weights_.removed * number(count(at[0])) + weights_.pairs * number(pairs) +
           weights_.steps * number(steps) + weights_.stale * number(stale) +
           weights_.low * number(low);
  }

 private:
  OutlookWeights weights_;
  std::uint8_t columns_;
  Bits first_column_{};
  Bits last_column_{};
  Bits all_{};
};

}  // namespace tesela::g2248
