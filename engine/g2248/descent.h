// Searches for a chain from its last tile downwards, depth first: the largest tiles are decided
// first, and the rest is bounded by the tiles that can still be reached.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/g2248/block_bounds.h"
#include "engine/g2248/cell_set.h"
#include "engine/g2248/dead_ends.h"
#include "engine/g2248/drift.h"
#include "engine/g2248/levels.h"
#include "engine/g2248/path.h"
#include "engine/g2248/step_limit.h"

namespace tesela::g2248 {

/// For a chain that may end anywhere.
template <class Bits>
struct AnyEnding {
  bool operator()(Bits, Cell) const { return true; }
  bool possible(Bits, Bits, Cell) const { return true; }
  int rows_apart(Bits, Cell) const { return 0; }
  std::uint16_t id(Cell) const { return 0; }
  Drift drift(Cell) const { return {}; }
};

/// In place of the greatest sum of a chain: no limit.
inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// The range of the sum of a chain.
struct Window {
  std::uint64_t above;  // more than this
  std::uint64_t most;   // and at most this; kNoLimit with AnyEnding
};

/// The effort of a search.
struct Effort {
  std::uint64_t steps_max;  // the tiles that it tries before it gives up
  bool thorough;            // whether it bounds by blocks and remembers dead ends, which takes time
};

enum class Found : std::uint8_t { kYes, kNo, kGaveUp };

/// Searches for a chain whose sum is in the window and whose last tile an `Ending` accepts
/// (AnyEnding, Landing). Keeps its dead ends and bounds from one search to the next.
template <class Bits, class Ending>
class Descent {
 public:
  /// `levels`, `bounds` and `limit` must outlive it.
  Descent(const Levels<Bits>& levels, BlockBounds<Bits>& bounds, Window window, StepLimit& limit)
      : levels_{levels}, bounds_{bounds}, window_{window}, limit_{limit} {}

  /// Looks for such a chain that ends in `last`. `ending` must outlive the call. Gives up after its
  /// effort, or at the limit.
  Found from(Cell last, const Ending& ending, Effort effort) {
    last_ = last;
    ending_ = &ending;
    steps_left_ = effort.steps_max;
    thorough_ = effort.thorough;
    reversed_ = {};
    if (thorough_) {
      bounds_.prepare();
    }
    return enter(last, levels_.of(last).exponent, 0, Bits{0});
  }

  /// The chain that was found; from its first tile on.
  [[nodiscard]] Path chain() const {
    Path forward;
    for (std::size_t i = reversed_.size(); i-- > 0;) {
      forward.push_back(reversed_.cells()[i]);
    }
    return forward;
  }

 private:
  /// Where on its way down the chain is.
  struct Level {
    Exponent exponent;
    int tiles;  // of this level so far, the new one counted
  };

  /// On to a tile of a level that the chain has not seen yet.
  Found enter(Cell cell, Exponent exponent, std::uint64_t sum_above, Bits held) {
    const std::uint64_t bound = thorough_ ? bounds_.from(cell) : levels_.of(cell).bound;
    if (bound == 0 || sum_above + bound <= window_.above) {
      return Found::kNo;
    }
    const Found found = visit(cell, Level{.exponent = exponent, .tiles = 1}, sum_above, held);
    if (thorough_ && found == Found::kNo && window_.most == kNoLimit) {
      bounds_.learn(cell, window_.above - sum_above);
    }
    return found;
  }

  Found visit(Cell cell, Level level, std::uint64_t sum_above, Bits held) {
    if (steps_left_ == 0 || !limit_.take()) {
      return Found::kGaveUp;
    }
    --steps_left_;
    const std::uint64_t sum = sum_above + tile_value(level.exponent);
    held |= set_of<Bits>(cell);
    if (sum > window_.most) {
      return Found::kNo;
    }
    const Bits reach =
        levels_.shape().flooded(set_of<Bits>(cell), levels_.at(level.exponent) & ~held);
    const bool enough = sum > window_.above;
    if (enough && level.tiles > 1 && (*ending_)(held, last_)) {
      reversed_.push_back(cell);
      return Found::kYes;
    }
    const std::uint64_t bound = bound_of(reach, level, sum);
    if (bound <= window_.above || !can_end_well(reach, level, held) ||
        (thorough_ && !enough &&
         sum + bounds_.behind(cell, reach, level.exponent) <= window_.above)) {
      return Found::kNo;
    }
    const Failure failure = failure_at(cell, sum, bound, reach, held);
    if (thorough_ && dead_ends_.contains(failure.place, failure.spare)) {
      return Found::kNo;
    }
    const Found found = go_on(cell, level, sum, held, reach);
    if (thorough_ && found == Found::kNo) {
      dead_ends_.insert(failure.place, failure.spare);
    }
    return found;
  }

  Found go_on(Cell cell, Level level, std::uint64_t sum, Bits held, Bits reach) {
    reversed_.push_back(cell);
    Found found = along(cell, level, sum, held, reach);
    if (found == Found::kNo) {
      found = down(cell, level, sum, held);
    }
    if (found == Found::kNo) {
      reversed_.pop_back();
    }
    return found;
  }

  /// What would be remembered when the search fails here.
  struct Failure {
    Place<Bits> place;
    std::uint64_t spare;
  };

  Failure failure_at(Cell cell, std::uint64_t sum, std::uint64_t bound, Bits reach,
                     Bits held) const {
    Place<Bits> place{.reach = reach,
                      .sum = sum,
                      .apart = static_cast<std::int16_t>(ending_->rows_apart(held, last_)),
                      .ending = ending_->id(last_),
                      .cell = cell};
    if (bound <= window_.most) {
      place.sum = kMoreIsBetter;
      return {.place = place, .spare = sum};
    }
    if (sum > window_.above) {
      place.sum = kLessIsBetter;
      return {.place = place, .spare = window_.most - sum};
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
    return ending_->possible(held, could, last_);
  }

  /// On to an equal neighbour, first where the fewest ways lead on.
  Found along(Cell cell, Level level, std::uint64_t sum, Bits held, Bits reach) {
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
      if (const Found found = visit(ways[i].to, level, sum, held); found != Found::kNo) {
        return found;
      }
    }
    return Found::kNo;
  }

  /// On to a neighbour of half the value.
  Found down(Cell cell, Level level, std::uint64_t sum, Bits held) {
    const auto under = static_cast<Exponent>(level.exponent - 1);
    if (under == 0) {
      return Found::kNo;
    }
    for (Bits ways = levels_.around(cell) & levels_.at(under); ways != 0; ways &= ways - 1) {
      if (const Found found = enter(lowest(ways), under, sum, held); found != Found::kNo) {
        return found;
      }
    }
    return Found::kNo;
  }

  const Levels<Bits>& levels_;
  BlockBounds<Bits>& bounds_;
  Window window_;
  StepLimit& limit_;
  const Ending* ending_{};
  Cell last_{};
  std::uint64_t steps_left_{};
  bool thorough_{};
  Path reversed_;
  DeadEnds<Bits> dead_ends_;
};

}  // namespace tesela::g2248
