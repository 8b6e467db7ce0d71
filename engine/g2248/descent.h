// Looks for one chain from its last tile downwards, depth first: the tiles that count most are
// decided first, and what is left is bounded by what can still be reached.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/g2248/cell_set.h"
#include "engine/g2248/levels.h"
#include "engine/g2248/path.h"

namespace tesela::g2248 {

enum class Found : std::uint8_t { kYes, kNo, kGaveUp };

/// Searches for a chain whose sum is more than `above` and at most `most`, and which `Accept`
/// likes: `accept(cells of the chain, its last cell)`.
template <class Bits, class Accept>
class Descent {
 public:
  /// `levels` must outlive it. Gives up after `steps_max` tiles have been tried.
  Descent(const Levels<Bits>& levels, std::uint64_t above, std::uint64_t most,
          std::uint64_t steps_max, Accept accept)
      : levels_{levels}, above_{above}, most_{most}, steps_left_{steps_max}, accept_{accept} {}

  /// Whether there is such a chain that ends in `last`.
  Found from(Cell last) {
    last_ = last;
    return visit(last, Level{.exponent = levels_.of(last).exponent, .tiles = 1}, 0, Bits{0});
  }

  /// The chain, after kYes; from its first tile on.
  [[nodiscard]] Path chain() const {
    Path forward;
    for (std::size_t i = reversed_.size(); i-- > 0;) {
      forward.push_back(reversed_.cells()[i]);
    }
    return forward;
  }

  [[nodiscard]] std::uint64_t steps_left() const { return steps_left_; }

 private:
  /// Where on its way down the chain is.
  struct Level {
    Exponent exponent;
    int tiles;  // of this level so far, the new one counted
  };

  Found visit(Cell cell, Level level, std::uint64_t sum_above, Bits held) {
    if (steps_left_ == 0) {
      return Found::kGaveUp;
    }
    --steps_left_;
    const std::uint64_t sum = sum_above + tile_value(level.exponent);
    held |= set_of<Bits>(cell);
    if (sum > most_) {
      return Found::kNo;
    }
    const Bits reach =
        levels_.shape().flooded(set_of<Bits>(cell), levels_.at(level.exponent) & ~held);
    const bool complete = level.tiles > 1 && sum > above_;
    if (!complete && !can_reach(reach, level, sum)) {
      return Found::kNo;
    }
    reversed_.push_back(cell);
    Found found = complete && accept_(held, last_) ? Found::kYes : Found::kNo;
    if (found == Found::kNo) {
      found = along(cell, level, sum, held, reach);
    }
    if (found == Found::kNo) {
      found = down(cell, level, sum, held);
    }
    if (found == Found::kNo) {
      reversed_.pop_back();
    }
    return found;
  }

  /// Whether the bound of what is left allows for a sum of more than above_.
  bool can_reach(Bits reach, Level level, std::uint64_t sum) const {
    const std::uint64_t bound = sum + level_sum(count(reach) - 1, level.exponent);
    return bound > above_ ||
           bound + levels_.bound_beside(reach, static_cast<Exponent>(level.exponent - 1)) > above_;
  }

  /// On to an equal neighbour, first where the fewest ways lead on.
  Found along(Cell cell, Level level, std::uint64_t sum, Bits held, Bits reach) {
    struct Way {
      int on;
      Cell to;
    };
    std::array<Way, kDirections> ways{};
    std::size_t size = 0;
    for_each_cell(levels_.around(cell) & reach & ~held, [&](Cell to) {
      ways[size++] = {.on = count(levels_.around(to) & reach & ~held), .to = to};
    });
    std::ranges::stable_sort(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(size), {},
                             &Way::on);
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
    level = {.exponent = static_cast<Exponent>(level.exponent - 1), .tiles = 1};
    if (level.exponent == 0) {
      return Found::kNo;
    }
    for (Bits ways = levels_.around(cell) & levels_.at(level.exponent); ways != 0;
         ways &= ways - 1) {
      const Cell to = lowest(ways);
      const std::uint64_t bound = levels_.of(to).bound;
      if (bound == 0 || sum + bound <= above_) {
        continue;
      }
      if (const Found found = visit(to, level, sum, held); found != Found::kNo) {
        return found;
      }
    }
    return Found::kNo;
  }

  const Levels<Bits>& levels_;
  std::uint64_t above_;
  std::uint64_t most_;
  std::uint64_t steps_left_;
  Accept accept_;
  Cell last_{};
  Path reversed_;
};

}  // namespace tesela::g2248
