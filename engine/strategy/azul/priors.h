// Says how likely a strong player plays each move of Azul: to order and to weigh the moves of a
// search, and for its playouts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/azul/azul.h"
#include "engine/core/rng.h"
#include "engine/strategy/azul/evaluation.h"

namespace tesela::azul {

/// What of a move is looked at; each feature has a weight.
inline constexpr std::size_t kMoveFeatures = 100;
using MoveWeights = std::array<float, kMoveFeatures>;

/// The weights by the rounds that the game goes on at least, from 1 (rounds_left).
using PriorWeights = std::array<MoveWeights, kRows>;

/// Learnt from the choices of the search: README.md.
[[nodiscard]] const PriorWeights& learnt_priors();

/// The features of the moves of one position.
class MoveFeatures {
 public:
  /// `s` must outlive it, unchanged.
  explicit MoveFeatures(const State& s);

  /// Calls `sink(feature, value)` for each feature of a legal move; those left out are 0.
  template <class Sink>
  void each(const Move& move, Sink&& sink) const {
    each_of_taking(move.source, move.colour, sink);
    each_of_placing(move, sink);
  }
  /// The part of them that is the same for all targets of the tiles.
  template <class Sink>
  void each_of_taking(Source from, Colour colour, Sink&& sink) const;
  /// The other part.
  template <class Sink>
  void each_of_placing(const Move& move, Sink&& sink) const;

 private:
  // Where each group of features begins.
  static constexpr std::size_t kPlaced = 0;       // by row, tiles held and tiles added: 35
  static constexpr std::size_t kPoints = 35;      // of the tile of a line that is full, by row
  static constexpr std::size_t kPartPoints = 40;  // the same, in part, of one that is not
  static constexpr std::size_t kColumn = 45;      // tiles in the column of a line that is full
  static constexpr std::size_t kColourOf = 50;    // tiles of its colour on the wall
  static constexpr std::size_t kRow = 55;         // tiles in its row
  static constexpr std::size_t kPartColumn = 60;  // the same of a line that is not full
  static constexpr std::size_t kPartColour = 65;
  static constexpr std::size_t kPartRow = 70;
  static constexpr std::size_t kFloorCost = 75;
  static constexpr std::size_t kOver = 76;  // tiles beyond the line
  static constexpr std::size_t kMarkerTaken = 77;
  static constexpr std::size_t kFromCentre = 78;
  static constexpr std::size_t kToCentre = 79;    // by tiles that come to the centre: 0 to 3
  static constexpr std::size_t kGrowth = 83;      // tiles in the centre of the colours that come
  static constexpr std::size_t kToFloor = 84;     // to the floor line alone; and how many
  static constexpr std::size_t kCannotFill = 86;  // by free places: no tiles left to fill the line
  static constexpr std::size_t kCanFill = 90;     // the same: there are
  static constexpr std::size_t kLateBegin = 94;   // a line is begun late in the round
  static constexpr std::size_t kDenyExact = 95;   // points that the next seat would have had
  static constexpr std::size_t kDenyOver = 96;    // the same, with tiles for its floor line
  static constexpr std::size_t kDenyMany = 97;    // tiles that the next seat has no line for
  static constexpr std::size_t kTaken = 98;
  static constexpr std::size_t kTakenLate = 99;

  /// Of the wall with the tiles of full pattern lines, for the tile that would come next.
  struct Cell {
    std::uint8_t points{};
    std::uint8_t in_column{};
    std::uint8_t in_row{};
    std::uint8_t of_colour{};
  };
  /// Of a colour, for the seat that is next.
  struct Wanted {
    std::array<std::uint8_t, kRows + 1> points{};      // by tiles: of the best line that they fill
    std::array<std::uint8_t, kRows + 2> with_fewer{};  // the most of these for fewer tiles
    std::uint8_t room{};                               // of the longest line that takes it
  };

  static constexpr std::size_t placed(unsigned row, unsigned held, unsigned added) {
    // Row r has (r + 1)(r + 2) / 2 pairs; before it are r (r + 1)(r + 2) / 6.
    const unsigned before = row * (row + 1) * (row + 2) / 6;
    const unsigned full = row + 1;
    return kPlaced + before + held * full - held * (held - 1) / 2 + added - 1;
  }

  const State& s_;
  std::array<std::array<Cell, kColourCount>, kRows> cells_{};
  std::array<Wanted, kColourCount> wanted_{};
  std::array<std::uint8_t, kColourCount> left_{};  // tiles in all sources
  unsigned occupied_{};                            // spaces of the floor line
  float late_{};                                   // from 0 to 1: how much of the round is over
};

template <class Sink>
void MoveFeatures::each_of_taking(Source from, Colour colour, Sink&& sink) const {
  const Tiles& source = s_.table.sources[from];
  const unsigned taken = source.count(colour);
  if (from == kCentre) {
    sink(kFromCentre, 1.0F);
    if (s_.table.marker_in_centre()) {
      sink(kMarkerTaken, 1.0F);
    }
  } else {
    sink(kToCentre + std::min(source.total() - taken, 3U), 1.0F);
    unsigned growth = 0;
    for (const Colour other : kColours) {
      growth += other != colour && source.count(other) != 0 ? s_.table.centre().count(other) : 0;
    }
    sink(kGrowth, static_cast<float>(growth));
  }
  const Wanted& wanted = wanted_[static_cast<std::size_t>(colour)];
  sink(kDenyExact, static_cast<float>(wanted.points[std::min(taken, kRows)]));
  sink(kDenyOver, static_cast<float>(wanted.with_fewer[std::min(taken, kRows + 1)]));
  sink(kDenyMany, static_cast<float>(taken - std::min<unsigned>(taken, wanted.room)));
  sink(kTaken, static_cast<float>(taken));
  sink(kTakenLate, static_cast<float>(taken) * late_);
}

template <class Sink>
void MoveFeatures::each_of_placing(const Move& move, Sink&& sink) const {
  const Board& board = s_.table.boards[s_.turn.value];
  const auto colour = static_cast<std::size_t>(move.colour);
  const unsigned taken = s_.table.sources[move.source].count(move.colour);
  const bool marker = move.source == kCentre && s_.table.marker_in_centre();
  unsigned over = taken;
  if (move.target == kFloor) {
    sink(kToFloor, 1.0F);
    sink(kToFloor + 1, static_cast<float>(taken));
  } else {
    const unsigned row = move.target;
    const unsigned size = line_size(row);
    const unsigned held = board.lines[row].count;
    const unsigned fit = std::min(taken, size - held);
    const unsigned free = size - held - fit;
    over = taken - fit;
    const Cell& cell = cells_[row][colour];
    const bool full = free == 0;
    sink(placed(row, held, fit), 1.0F);
    sink((full ? kColumn : kPartColumn) + cell.in_column, 1.0F);
    sink((full ? kColourOf : kPartColour) + cell.of_colour, 1.0F);
    sink((full ? kRow : kPartRow) + cell.in_row, 1.0F);
    if (full) {
      sink(kPoints + row, static_cast<float>(cell.points));
    } else {
      sink(kPartPoints + row,
           static_cast<float>(cell.points * (held + fit)) / static_cast<float>(size));
      sink((left_[colour] >= taken + free ? kCanFill : kCannotFill) + free - 1, 1.0F);
      if (held == 0) {
        sink(kLateBegin, late_);
      }
    }
  }
  const unsigned floor = std::min(occupied_ + over + (marker ? 1U : 0U), FloorLine::kSpaces);
  sink(kFloorCost, static_cast<float>(FloorLine::cost_of(floor) - FloorLine::cost_of(occupied_)));
  sink(kOver, static_cast<float>(over));
}

/// How likely each move of a position is, as the exponent of e, but for what is the same for all.
class MovePriors {
 public:
  /// Both must outlive it, unchanged.
  MovePriors(const State& s, const PriorWeights& weights)
      : features_{s}, choices_{choices(s)}, weights_{weights[rounds_left(s.table) - 1]} {}

  /// Calls `sink(move, exponent)` for every legal move, in the order of Choices.
  template <class Sink>
  void each(Sink&& sink) const {
    Move last{.source = kSourcesMax};
    float taking = 0;
    choices_.each([&](const Move& move) {
      if (move.source != last.source || move.colour != last.colour) {
        taking = of_taking(move);
      }
      last = move;
      sink(move, taking + of_placing(move));
    });
  }

  [[nodiscard]] float of(const Move& move) const { return of_taking(move) + of_placing(move); }

  /// One of the moves, with the exponents divided by `temperature`; none that is e^4 times less
  /// likely than the likeliest. By one word of `rng`.
  [[nodiscard]] Move draw(float temperature, Rng& rng) const;

 private:
  [[nodiscard]] float of_taking(const Move& move) const {
    float sum = 0;
    features_.each_of_taking(move.source, move.colour, [&](std::size_t feature, float value) {
      sum += weights_[feature] * value;
    });
    return sum;
  }
  [[nodiscard]] float of_placing(const Move& move) const {
    float sum = 0;
    features_.each_of_placing(
        move, [&](std::size_t feature, float value) { sum += weights_[feature] * value; });
    return sum;
  }

  MoveFeatures features_;
  Choices choices_;
  const MoveWeights& weights_;
};

}  // namespace tesela::azul
