// Looks for one chain from its last tile downwards, depth first: the tiles that count most are
// decided first, and what is left is bounded by what can still be reached.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/g2248/cell_set.h"
#include "engine/g2248/dead_ends.h"
#include "engine/g2248/levels.h"
#include "engine/g2248/path.h"

namespace tesela::g2248 {

/// Likes every chain.
template <class Bits>
struct AnyChain {
  bool operator()(Bits, Cell) const { return true; }
  bool possible(Bits, Bits, Cell) const { return true; }
  int rows_apart(Bits, Cell) const { return 0; }
};

/// In place of `most`: a sum may be as large as it likes.
inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// Searches for a chain whose sum is more than `above` and at most `most`, and that ends where
/// `Ending` wants it; Landing says what it is asked. `most` is kNoLimit for AnyChain.
template <class Bits, class Ending>
class Descent {
 public:
  /// `levels` must outlive it.
  Descent(const Levels<Bits>& levels, std::uint64_t above, std::uint64_t most, Ending ending)
      : levels_{levels}, above_{above}, most_{most}, ending_{ending} {}

  /// Whether there is such a chain that ends in `last`.
  bool from(Cell last) {
    last_ = last;
    return visit(last, Level{.exponent = levels_.of(last).exponent, .tiles = 1}, 0, Bits{0});
  }

  /// The chain that was found; from its first tile on.
  [[nodiscard]] Path chain() const {
    Path forward;
    for (std::size_t i = reversed_.size(); i-- > 0;) {
      forward.push_back(reversed_.cells()[i]);
    }
    return forward;
  }

  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  /// A search of fewer steps is over before it is worth to remember anything.
  static constexpr std::uint64_t kForgetful = 500;

  /// Where on its way down the chain is.
  struct Level {
    Exponent exponent;
    int tiles;  // of this level so far, the new one counted
  };

  bool visit(Cell cell, Level level, std::uint64_t sum_above, Bits held) {
    ++steps_;
    const std::uint64_t sum = sum_above + tile_value(level.exponent);
    held |= set_of<Bits>(cell);
    if (sum > most_) {
      return false;
    }
    const Bits reach =
        levels_.shape().flooded(set_of<Bits>(cell), levels_.at(level.exponent) & ~held);
    const bool complete = level.tiles > 1 && sum > above_;
    if (complete && ending_(held, last_)) {
      reversed_.push_back(cell);
      return true;
    }
    if ((!complete && !can_reach(reach, level, sum)) || !can_end_well(reach, level, held)) {
      return false;
    }
    const Place<Bits> place{.reach = reach,
                            .sum = most_ == kNoLimit ? 0 : sum,
                            .apart = static_cast<std::int16_t>(ending_.rows_apart(held, last_)),
                            .cell = cell};
    const bool remembers = steps_ > kForgetful;
    if (remembers && dead_ends_.contains(place, sum)) {
      return false;
    }
    reversed_.push_back(cell);
    if (along(cell, level, sum, held, reach) || down(cell, level, sum, held)) {
      return true;
    }
    reversed_.pop_back();
    if (remembers) {
      dead_ends_.insert(place, sum);
    }
    return false;
  }

  /// Whether the bound of what is left allows for a sum of more than above_.
  bool can_reach(Bits reach, Level level, std::uint64_t sum) const {
    const std::uint64_t bound = sum + level_sum(count(reach) - 1, level.exponent);
    return bound > above_ ||
           bound + levels_.bound_beside(reach, static_cast<Exponent>(level.exponent - 1)) > above_;
  }

  bool can_end_well(Bits reach, Level level, Bits held) const {
    const Bits could =
        reach | levels_.below_beside(reach, static_cast<Exponent>(level.exponent - 1));
    return ending_.possible(held, could, last_);
  }

  /// On to an equal neighbour, first where the fewest ways lead on.
  bool along(Cell cell, Level level, std::uint64_t sum, Bits held, Bits reach) {
    struct Way {
      int on;
      Cell to;
      auto operator<=>(const Way&) const = default;
    };
    std::array<Way, kDirections> ways{};
    std::size_t size = 0;
    for_each_cell(levels_.around(cell) & reach & ~held, [&](Cell to) {
      ways[size++] = {.on = count(levels_.around(to) & reach & ~held), .to = to};
    });
    std::ranges::sort(std::span{ways}.first(size));
    ++level.tiles;
    for (std::size_t i = 0; i < size; ++i) {
      if (visit(ways[i].to, level, sum, held)) {
        return true;
      }
    }
    return false;
  }

  /// On to a neighbour of half the value.
  bool down(Cell cell, Level level, std::uint64_t sum, Bits held) {
    level = {.exponent = static_cast<Exponent>(level.exponent - 1), .tiles = 1};
    if (level.exponent == 0) {
      return false;
    }
    for (Bits ways = levels_.around(cell) & levels_.at(level.exponent); ways != 0;
         ways &= ways - 1) {
      const Cell to = lowest(ways);
      const std::uint64_t bound = levels_.of(to).bound;
      if (bound != 0 && sum + bound > above_ && visit(to, level, sum, held)) {
        return true;
      }
    }
    return false;
  }

  const Levels<Bits>& levels_;
  std::uint64_t above_;
  std::uint64_t most_;
  Ending ending_;
  Cell last_{};
  Path reversed_;
  std::uint64_t steps_{0};
  DeadEnds<Bits> dead_ends_;
};

}  // namespace tesela::g2248
