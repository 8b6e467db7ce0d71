// A heap of tiles: a factory display, the centre, the bag, the lid. Tiles of a colour are alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/azul/colour.h"

namespace tesela::azul {

/// There are twenty of each colour (R-AZ-1).
inline constexpr unsigned kTilesPerColour = 20;

/// Counts by colour. At most 127 tiles in all, which the box never has.
class Tiles {
 public:
  constexpr Tiles() = default;
  /// The counts in the order of Colour.
  constexpr explicit Tiles(const std::array<std::uint8_t, kColourCount>& counts) {
    for (const Colour colour : kColours) {
      add(colour, counts[static_cast<std::size_t>(colour)]);
    }
  }

  [[nodiscard]] constexpr unsigned count(Colour colour) const {
    return static_cast<unsigned>(counts_ >> lane_shift(colour) & 0xff);
  }
  [[nodiscard]] constexpr unsigned total() const { return lane_sum(counts_); }
  [[nodiscard]] constexpr bool empty() const { return counts_ == 0; }
  /// 0xff in the byte of each colour that is there.
  [[nodiscard]] constexpr Lanes present() const { return lanes_in_use(counts_); }
  /// The colour of the `nth` tile, from 0, in ascending cumulative order. `nth` is less than
  /// total().
  [[nodiscard]] constexpr Colour colour_of(unsigned nth) const {
    return nth_of_lanes(counts_, nth).colour;
  }

  constexpr void add(Colour colour, unsigned count) {
    counts_ += Lanes{count} << lane_shift(colour);
  }
  /// Not more than there are.
  constexpr void remove(Colour colour, unsigned count) {
    counts_ -= Lanes{count} << lane_shift(colour);
  }
  constexpr Tiles& operator+=(Tiles more) {
    counts_ += more.counts_;
    return *this;
  }
  /// Takes all tiles away and returns them.
  constexpr Tiles take_all() { return std::exchange(*this, Tiles{}); }

  friend constexpr bool operator==(Tiles, Tiles) = default;

 private:
  Lanes counts_{0};
};

}  // namespace tesela::azul
