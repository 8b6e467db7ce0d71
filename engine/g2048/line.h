// The rule of a move, on one line of the board (R-2048-2). It is implemented only here:
// the boards of any size run it, the packed board's row tables are filled by it, and the stages
// that a client animates are told by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/g2048/config.h"

namespace tesela::g2048 {

/// The three parts of a move.
enum class Phase : std::uint8_t { kSlide, kMerge, kSettle };

/// Is told nothing, at no cost.
struct Untold {
  /// A tile goes from place `from` to place `to` of the line; on both partners of a merge, of which
  /// one stays and grows, `merged`.
  constexpr void motion(Phase, std::size_t /*from*/, std::size_t /*to*/, bool /*merged*/) const {}
};

/// Whether a tile of a line moves or merges because of its neighbour on the side of place 0. A
/// `collapse` changes a line if and only if it has such a tile: without gaps, equal neighbours
/// merge.
[[nodiscard]] constexpr bool gives_way(Exponent neighbour, Exponent tile) {
  return tile != 0 && (neighbour == 0 || (neighbour == tile && tile != kExponentMax));
}

/// Slides the tiles to place 0, keeping their order.
template <class Told>
constexpr void slide(std::span<Exponent> line, Phase phase, Told& told) {
  std::size_t free = 0;
  for (std::size_t place = 0; place < line.size(); ++place) {
    if (line[place] == 0) {
      continue;
    }
    if (place != free) {
      line[free] = line[place];
      line[place] = 0;
      told.motion(phase, place, free, false);
    }
    ++free;
  }
}

/// Merges equal neighbours, from place 0 on, each tile at most once. Returns the points (R-2048-3).
template <class Told>
constexpr std::uint64_t merge(std::span<Exponent> line, Told& told) {
  std::uint64_t points = 0;
  for (std::size_t place = 0; place + 1 < line.size(); ++place) {
    if (line[place] == 0 || line[place] == kExponentMax || line[place] != line[place + 1]) {
      continue;
    }
    ++line[place];
    line[place + 1] = 0;
    points += tile_value(line[place]);
    told.motion(Phase::kMerge, place, place, true);
    told.motion(Phase::kMerge, place + 1, place, true);
  }
  return points;
}

/// A whole move on one line, towards place 0. Returns the points.
template <class Told>
constexpr std::uint64_t collapse(std::span<Exponent> line, Told& told) {
  slide(line, Phase::kSlide, told);
  const std::uint64_t points = merge(line, told);
  slide(line, Phase::kSettle, told);
  return points;
}

}  // namespace tesela::g2048
