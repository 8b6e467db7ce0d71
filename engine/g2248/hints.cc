#include "engine/g2248/hints.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/g2248/block_bounds.h"
#include "engine/g2248/cell_set.h"
#include "engine/g2248/chain.h"
#include "engine/g2248/chain_search.h"
#include "engine/g2248/descent.h"
#include "engine/g2248/landing.h"
#include "engine/g2248/levels.h"

namespace tesela::g2248 {

namespace {

/// The end of a chain too long for R-2248-4 is cut off. Tiles are at most 2^59 here, so that some
/// beginning of it is worth 2^60 exactly.
void shorten(BoardView board, Path& chain) {
  while (value_of(board, chain.cells()) == kTooLarge) {
    chain.pop_back();
  }
}

/// How hard to look for a chain.
enum class Care : std::uint8_t {
  kHasty,  // it may be missed
  kFull,
};

/// One hint for one board.
template <class Bits>
class HintSearch {
 public:
  HintSearch(BoardView board, Patience patience, StepLimit& limit)
      : board_{board}, patience_{patience}, limit_{limit}, levels_{board} {}

  std::optional<Hint> max_path() {
    std::uint64_t bound = 0;
    for (std::size_t index = 0; index < levels_.size(); ++index) {
      bound = std::max(bound, levels_[index].bound);
    }
    if (bound == 0) {
      return std::nullopt;
    }
    for (Exponent value = std::min(rounded(bound), kExponentMax); !limit_.reached(); --value) {
      if (const auto chain = chain_worth(value, Care::kFull)) {
        return hint_of(*chain);
      }
    }
    return hint_of(quickly_found_ ? *quickly_found_ : largest_pair());
  }

  std::optional<Hint> max_adjacent() {
    for (Exponent value = kExponentMax; value > 1 && !limit_.reached(); --value) {
      if (const auto chain = chain_beside(value, Care::kFull)) {
        return hint_of(*chain);
      }
    }
    return quickly_found_ ? std::optional{hint_of(*quickly_found_)} : std::nullopt;
  }

 private:
  [[nodiscard]] Hint hint_of(Path chain) const {
    shorten(board_, chain);
    return {.path = chain, .value = value_of(board_, chain.cells())};
  }

  /// A chain whose V is at least `value`.
  std::optional<Path> chain_worth(Exponent value, Care care) {
    const std::uint64_t above = tile_value(value) / 2;
    ChainSearch<Bits, AnyEnding<Bits>> search{
        levels_, bounds_, {.above = above, .most = kNoLimit}, patience_.hasty, limit_};
    for (std::size_t index = levels_.size(); index-- > 0;) {
      if (levels_[index].bound <= above) {
        continue;
      }
      for (Bits ends = levels_[index].cells; ends != 0; ends &= ends - 1) {
        if (search.ask(lowest(ends), {})) {
          return search.chain();
        }
      }
    }
    if (care == Care::kHasty || search.is_decided()) {
      return std::nullopt;
    }
    look_below(value, [&](Exponent lower) { return chain_worth(lower, Care::kHasty); });
    return search.insist(board_, patience_.thorough);
  }

  /// A chain of the value whose tile lands beside one that has it.
  std::optional<Path> chain_beside(Exponent value, Care care) {
    if (levels_.at(value) == 0) {
      return std::nullopt;
    }
    const std::uint64_t most = tile_value(value);
    ChainSearch<Bits, Landing<Bits>> search{
        levels_, bounds_, {.above = most / 2, .most = most}, patience_.hasty, limit_};
    for (Bits likes = levels_.at(value); likes != 0; likes &= likes - 1) {
      const Landing<Bits> landing{levels_, lowest(likes)};
      for (std::size_t i = 0; i < levels_.size() && levels_[i].exponent < value; ++i) {
        if (levels_[i].bound <= most / 2) {
          continue;
        }
        for (Bits ends = levels_[i].cells & landing.columns(); ends != 0; ends &= ends - 1) {
          if (search.ask(lowest(ends), landing)) {
            return search.chain();
          }
        }
      }
    }
    if (care == Care::kHasty || search.is_decided()) {
      return std::nullopt;
    }
    look_below(value, [&](Exponent lower) { return chain_beside(lower, Care::kHasty); });
    return search.insist(board_, patience_.thorough);
  }

  /// Once, before a long search that the limit may end: uses what `find(value)` finds.
  template <class Find>
  void look_below(Exponent value, Find&& find) {
    if (!limit_.exists()) {
      return;
    }
    while (!quickly_found_ && value > 1 && !limit_.reached()) {
      quickly_found_ = find(--value);
    }
  }

  /// Two equal tiles, of which there are some.
  [[nodiscard]] Path largest_pair() const {
    std::size_t index = levels_.size() - 1;
    while (count(levels_[index].cells) == 1) {
      --index;
    }
    const Bits cells = levels_[index].cells;
    const Cell first = lowest(cells);
    return {first, lowest(levels_.around(first) & cells & ~set_of<Bits>(first))};
  }

  BoardView board_;
  Patience patience_;
  StepLimit& limit_;
  Levels<Bits> levels_;
  BlockBounds<Bits> bounds_{levels_};
  std::optional<Path> quickly_found_;
};

}  // namespace

std::optional<Hint> max_path(BoardView board, Patience patience, StepLimit limit) {
  return board.cells.size() <= 64 ? HintSearch<Bits64>{board, patience, limit}.max_path()
                                  : HintSearch<Bits128>{board, patience, limit}.max_path();
}

std::optional<Hint> max_adjacent(BoardView board, Patience patience, StepLimit limit) {
  return board.cells.size() <= 64 ? HintSearch<Bits64>{board, patience, limit}.max_adjacent()
                                  : HintSearch<Bits128>{board, patience, limit}.max_adjacent();
}

}  // namespace tesela::g2248
