// The stages of a move, and the motions of the pieces (R-AZ-13).
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/azul/floor.h"
#include "engine/azul/table.h"
#include "engine/azul/wall.h"
#include "engine/core/game.h"
#include "engine/core/ids.h"

namespace tesela::azul {

/// A place on the table by one number, as RULES.md lists them.
using Place = std::uint16_t;

/// From where tiles are taken.
[[nodiscard]] constexpr Place source_place(Source source) {
  constexpr Place kCentrePlace = 20;
  return source == kCentre ? kCentrePlace : source;
}
inline constexpr Place kBagPlace = 21;
inline constexpr Place kLidPlace = 22;
/// Where the board of a seat begins.
[[nodiscard]] constexpr Place board_place(Seat seat) {
  return static_cast<Place>(100 * (seat.value + 1));
}
/// A cell of a pattern line; cell 0 is filled first.
[[nodiscard]] constexpr Place line_place(Seat seat, unsigned line, unsigned cell) {
  return static_cast<Place>(board_place(seat) + line * kRows + cell);
}
[[nodiscard]] constexpr Place wall_place(Seat seat, unsigned cell) {
  return static_cast<Place>(board_place(seat) + 25 + cell);
}
[[nodiscard]] constexpr Place floor_place(Seat seat, unsigned space) {
  return static_cast<Place>(board_place(seat) + 50 + space);
}
/// Tiles between being taken and being placed; the marker where it has no space on the floor line.
[[nodiscard]] constexpr Place hand_place(Seat seat) {
  return static_cast<Place>(board_place(seat) + 60);
}

/// Equal pieces that travel together.
struct Motion {
  Piece piece{};
  std::uint8_t count{1};
  Place from{};
  Place to{};

  friend bool operator==(const Motion&, const Motion&) = default;
};

enum class StageKind : std::uint8_t {
  kTake,
  kPlace,
  kOverflow,
  kTile,
  kPenalty,
  kDeal,
  kBonus,
  kFinal
};

enum class BonusKind : std::uint8_t { kNone, kRows, kColumns, kColours };

/// What happened. A stage that changes nothing is not told.
struct Stage {
  StageKind kind{};
  Seat seat{};                    // whose board; 0 in deal and final, which are about all
  std::uint8_t in_hand{0};        // tiles of the move's colour that are taken and not yet placed
  std::int16_t points{0};         // by how much the seat's score changes
  std::uint8_t tiled{0};          // tile: the cell of the wall
  TileScore counted{};            // tile: what made the points
  BonusKind bonus{};              // bonus: for what
  Table table{};                  // after the stage
  std::vector<Motion> motions{};  // in the order in which they happen

  friend bool operator==(const Stage&, const Stage&) = default;
};

/// Makes the stages of one move. With a sink that wants none, every call compiles to nothing.
template <class Stages>
class Telling {
 public:
  Telling(const Table& table, Stages& stages) : table_{table}, stages_{stages} {}

  /// A motion of the stage that ends next. No motion of no pieces.
  void motion(Piece piece, unsigned count, Place from, Place to) {
    if constexpr (kWanted) {
      if (count != 0) {
        motions_.push_back({piece, static_cast<std::uint8_t>(count), from, to});
      }
    }
  }
  /// Ends a stage: `make()` returns it, and the table is the current one.
  template <class Make>
  void stage(Make&& make) {
    if constexpr (kWanted) {
      Stage stage = make();
      stage.table = table_;
      stage.motions = std::exchange(motions_, {});
      stages_(std::move(stage));
    }
  }

 private:
  static constexpr bool kWanted = std::remove_cvref_t<Stages>::kWanted;
  struct Nothing {};

  const Table& table_;
  Stages& stages_;
  [[no_unique_address]] std::conditional_t<kWanted, std::vector<Motion>, Nothing> motions_;
};

}  // namespace tesela::azul
