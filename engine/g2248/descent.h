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

#include "engine/g2248/block_bound.h"
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
  /// A search of fewer steps is over before better bounds and a memory are worth their time.
  static constexpr std::uint64_t kHasty = 200;

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
    const std::uint64_t bound = bound_of(reach, level, sum);
    if ((!complete && bound <= above_) || !can_end_well(reach, level, held)) {
      return false;
    }
    const bool thorough = steps_ > kHasty;
    if (thorough && !complete && sum + block_bound_(cell, reach, level.exponent) <= above_) {
      return false;
    }
    const Failure failure = failure_at(cell, sum, bound, reach, held);
    if (thorough && dead_ends_.contains(failure.place, failure.spare)) {
      return false;
    }
    reversed_.push_back(cell);
    if (along(cell, level, sum, held, reach) || down(cell, level, sum, held)) {
      return true;
    }
    reversed_.pop_back();
    if (thorough) {
      dead_ends_.insert(failure.place, failure.spare);
    }
    return false;
  }

  /// What would be remembered when the search fails here.
  struct Failure {
    Place<Bits> place;
    std::uint64_t spare;
  };

  Failure failure_at(Cell cell, std::uint64_t sum, std::uint64_t bound, Bits reach, Bits held) {
    Place<Bits> place{.reach = reach,
                      .sum = sum,
                      .apart = static_cast<std::int16_t>(ending_.rows_apart(held, last_)),
                      .cell = cell};
    if (bound <= most_) {
      place.sum = kMoreIsBetter;
      return {.place = place, .spare = sum};
    }
    if (sum > above_) {
      place.sum = kLessIsBetter;
      return {.place = place, .spare = most_ - sum};
    }
    return {.place = place, .spare = 0};
  }

  /// No chain that goes on from here sums to more.
  std::uint64_t bound_of(Bits reach, Level level, std::uint64_t sum) const {
    return sum + level_sum(count(reach) - 1, level.exponent) +
           levels_.bound_beside(reach, static_cast<Exponent>(level.exponent - 1));
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
  BlockBound<Bits> block_bound_{levels_};
  DeadEnds<Bits> dead_ends_;
};

}  // namespace tesela::g2248
