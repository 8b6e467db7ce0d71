// Everything that lies on the table (R-AZ-14).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/azul/colour.h"
#include "engine/azul/config.h"
#include "engine/azul/floor.h"
#include "engine/azul/tiles.h"
#include "engine/azul/wall.h"
#include "engine/core/ids.h"

namespace tesela::azul {

/// A pattern line. Line r of a board is full with r + 1 tiles.
struct PatternLine {
  Piece holds{kNoPiece};  // the colour of its tiles
  std::uint8_t count{0};

  friend constexpr bool operator==(PatternLine, PatternLine) = default;
};

/// How many tiles a pattern line holds.
[[nodiscard]] constexpr unsigned line_size(unsigned line) {
  return line + 1;
}

/// One player's board.
struct Board {
  Wall wall;
  FloorLine floor;
  std::array<PatternLine, kRows> lines{};
  std::uint16_t score{0};

  friend constexpr bool operator==(const Board&, const Board&) = default;
};

/// From where tiles are taken: the number of a factory display, or kCentre.
using Source = std::uint8_t;
inline constexpr Source kCentre = kFactoriesMax;
inline constexpr std::size_t kSourcesMax = kFactoriesMax + 1;

/// In place of a seat: the marker lies in the centre.
inline constexpr Seat kNobody{0xff};

/// The table in a stage. Unused boards and factory displays are empty.
struct Table {
  std::array<Tiles, kSourcesMax> sources{};  // the factory displays, and in kCentre the centre
  Tiles bag;
  Tiles lid;
  std::array<Board, kPlayersMax> boards{};
  std::uint8_t players{};
  Seat next_starter{kNobody};  // has taken the marker (R-AZ-4)

  [[nodiscard]] constexpr std::span<Tiles> factories() {
    return std::span{sources}.first(factory_count(players));
  }
  [[nodiscard]] constexpr std::span<const Tiles> factories() const {
    return std::span{sources}.first(factory_count(players));
  }
  [[nodiscard]] constexpr Tiles& centre() { return sources[kCentre]; }
  [[nodiscard]] constexpr const Tiles& centre() const { return sources[kCentre]; }
  [[nodiscard]] constexpr bool marker_in_centre() const { return next_starter == kNobody; }

  friend constexpr bool operator==(const Table&, const Table&) = default;
};

}  // namespace tesela::azul
