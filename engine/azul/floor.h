// The floor line of a board (R-AZ-6).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/azul/colour.h"

namespace tesela::azul {

/// What lies in a space or travels: a tile of a colour, or the starting-player marker.
using Piece = std::uint8_t;

/// An empty space.
inline constexpr Piece kNoPiece = 0;
/// The starting-player marker.
inline constexpr Piece kMarker = 6;

/// 1..5.
[[nodiscard]] constexpr Piece piece_of(Colour colour) {
  return static_cast<Piece>(static_cast<unsigned>(colour) + 1);
}
/// Of a tile, not of the marker or an empty space.
[[nodiscard]] constexpr Colour colour_of(Piece tile) {
  return static_cast<Colour>(tile - 1);
}

/// The spaces fill from the left, so that a line is its pieces in order.
class FloorLine {
 public:
  static constexpr unsigned kSpaces = 7;

  /// How many spaces are occupied.
  [[nodiscard]] constexpr unsigned count() const {
    return static_cast<unsigned>(std::bit_width(pieces_) + kBits - 1) / kBits;
  }
  [[nodiscard]] constexpr bool empty() const { return pieces_ == 0; }
  [[nodiscard]] constexpr Piece piece(unsigned space) const {
    return static_cast<Piece>(pieces_ >> kBits * space & 0xf);
  }
  /// The penalty of the occupied spaces (R-AZ-9).
  [[nodiscard]] constexpr unsigned cost() const { return cost_of(count()); }
  /// The penalty of the first `occupied` spaces: 1, 1, 2, 2, 2, 3, 3 each.
  [[nodiscard]] static constexpr unsigned cost_of(unsigned occupied) {
    constexpr std::array<std::uint8_t, kSpaces + 1> kCosts{0, 1, 2, 4, 6, 8, 11, 14};
    return kCosts[occupied];
  }

  /// Fills free spaces; returns how many of `count` equal pieces found one.
  constexpr unsigned add(Piece piece, unsigned count) {
    const unsigned occupied = this->count();
    const unsigned fit = std::min(count, kSpaces - occupied);
    const std::uint32_t pieces = piece * (kEachSpace & ((std::uint32_t{1} << kBits * fit) - 1));
    pieces_ |= pieces << kBits * occupied;
    return fit;
  }
  constexpr void clear() { pieces_ = 0; }

  friend constexpr bool operator==(FloorLine, FloorLine) = default;

 private:
  static constexpr unsigned kBits = 4;
  static constexpr std::uint32_t kEachSpace = 0x1111111;

  std::uint32_t pieces_{0};  // space n is nibble n
};

}  // namespace tesela::azul
