// The legal moves (R-AZ-3, R-AZ-5), as sets of bits: they are tested, counted and drawn without
// being listed.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/azul/colour.h"
#include "engine/azul/table.h"
#include "engine/azul/tiles.h"

namespace tesela::azul {

/// To where tiles go: the number of a pattern line, or kFloor.
using Target = std::uint8_t;
inline constexpr Target kFloor = kRows;

/// Takes all tiles of a colour from a source and places them all.
struct Move {
  Source source{};
  Colour colour{};
  Target target{};

  friend bool operator==(const Move&, const Move&) = default;
};

/// For each row of a wall and each set of tiles in it, the colours that it lacks: bit `row` in the
/// byte of the colour.
inline constexpr auto kLacking = [] {
  std::array<std::array<Lanes, 32>, kRows> lacking{};
  for (unsigned row = 0; row < kRows; ++row) {
    for (Run tiles = 0; tiles < lacking[row].size(); ++tiles) {
      for (const Colour colour : kColours) {
        const unsigned column = wall_cell(row, colour) % kRows;
        lacking[row][tiles] |= Lanes{~tiles >> column & 1} << (lane_shift(colour) + row);
      }
    }
  }
  return lacking;
}();

/// The bytes of the colours that a pattern line takes which holds a piece, or none.
inline constexpr std::array<Lanes, kColourCount + 1> kTakenBeside{
    0xff * kEachLane,  Lanes{0xff},       Lanes{0xff} << 8,
    Lanes{0xff} << 16, Lanes{0xff} << 24, Lanes{0xff} << 32};

/// The targets of each colour on a board (R-AZ-5): in its byte, bit n for pattern line n and bit
/// kFloor for the floor line.
[[nodiscard]] constexpr Lanes targets_on(const Board& board) {
  Lanes targets = kEachLane << kFloor;
  for (unsigned row = 0; row < kRows; ++row) {
    const PatternLine line = board.lines[row];
    const Lanes taken = line.count == line_size(row) ? 0 : kTakenBeside[line.holds];
    targets |= kLacking[row][board.wall.row(row)] & taken;
  }
  return targets;
}

/// The bit of a colour and a target.
[[nodiscard]] constexpr Lanes target_bit(Colour colour, Target target) {
  return Lanes{1} << (lane_shift(colour) + target);
}

/// The place of the nth bit that is set, from the lowest, for every byte of targets.
inline constexpr auto kNthTarget = [] {
  std::array<std::array<Target, kRows + 1>, 64> nth_target{};
  for (unsigned targets = 0; targets < nth_target.size(); ++targets) {
    std::size_t nth = 0;
    for (Target target = 0; target <= kFloor; ++target) {
      if ((targets >> target & 1) != 0) {
        nth_target[targets][nth++] = target;
      }
    }
  }
  return nth_target;
}();

/// The moves of one seat. In order: factory displays ascending, then the centre; colours; pattern
/// lines ascending, the floor line last (R-AZ-15).
class Choices {
 public:
  /// `table` must outlive it, unchanged.
  Choices(const Table& table, const Board& board)
      : table_{table}, targets_{targets_on(board)}, counts_{counts_of(targets_)} {}

  /// How many there are.
  [[nodiscard]] unsigned count() const {
    unsigned count = 0;
    for (const Tiles& source : table_.sources) {
      count += count_from(source);
    }
    return count;
  }

  /// The `nth` of them, from 0. `nth` is less than count().
  [[nodiscard]] Move nth(unsigned nth) const {
    Source source = 0;
    for (unsigned here = count_from(table_.sources[0]); nth >= here;) {
      nth -= here;
      ++source;
      here = count_from(table_.sources[source]);
    }
    const NthOfLanes found = nth_of_lanes(table_.sources[source].present() & counts_, nth);
    const auto targets = targets_ >> lane_shift(found.colour) & 0xff;
    return {.source = source, .colour = found.colour, .target = kNthTarget[targets][found.nth]};
  }

  /// Whether a move with a source, a colour and a target that exist is one of them.
  [[nodiscard]] bool has(const Move& move) const {
    const Lanes from_source = table_.sources[move.source].present() & targets_;
    return (from_source & target_bit(move.colour, move.target)) != 0;
  }

  /// Calls `sink(move)` for all, in order.
  template <class Sink>
  void each(Sink&& sink) const {
    for (Source source = 0; source < kSourcesMax; ++source) {
      for (Lanes left = table_.sources[source].present() & targets_; left != 0; left &= left - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(left));
        sink(Move{.source = source,
                  .colour = static_cast<Colour>(bit / 8),
                  .target = static_cast<Target>(bit % 8)});
      }
    }
  }

 private:
  /// In each byte, how many of its bits are set. Source: Hacker's Delight, section 5-1.
  static constexpr Lanes counts_of(Lanes bits) {
    bits -= bits >> 1 & 0x55 * kEachLane;
    bits = (bits & 0x33 * kEachLane) + (bits >> 2 & 0x33 * kEachLane);
    return (bits + (bits >> 4)) & 0x0f * kEachLane;
  }

  [[nodiscard]] unsigned count_from(const Tiles& source) const {
    return lane_sum(source.present() & counts_);
  }

  const Table& table_;
  Lanes targets_;  // for each colour, where it may go
  Lanes counts_;   // for each colour, to how many targets
};

}  // namespace tesela::azul
