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

/// A chain whose V is at least `value`.
template <class Bits>
std::optional<Path> chain_worth(BoardView board, const Levels<Bits>& levels,
                                BlockBounds<Bits>& bounds, Exponent value, Patience patience) {
  const std::uint64_t above = tile_value(value) / 2;
  ChainSearch<Bits, AnyEnding<Bits>> search{
      levels, bounds, {.above = above, .most = kNoLimit}, patience.hasty};
  for (std::size_t index = levels.size(); index-- > 0;) {
    if (levels[index].bound <= above) {
      continue;
    }
    for (Bits ends = levels[index].cells; ends != 0; ends &= ends - 1) {
      if (search.ask(lowest(ends), {})) {
        return search.chain();
      }
    }
  }
  return search.insist(board, patience.thorough);
}

template <class Bits>
std::optional<Hint> max_path_in(BoardView board, Patience patience) {
  const Levels<Bits> levels{board};
  BlockBounds<Bits> bounds{levels};
  std::uint64_t bound = 0;
  for (std::size_t index = 0; index < levels.size(); ++index) {
    bound = std::max(bound, levels[index].bound);
  }
  for (Exponent value = std::min(rounded(bound), kExponentMax); bound != 0; --value) {
    if (auto chain = chain_worth(board, levels, bounds, value, patience)) {
      shorten(board, *chain);
      return Hint{.path = *chain, .value = value};
    }
  }
  return std::nullopt;
}

/// A chain of the value whose tile lands beside one that has it.
template <class Bits>
std::optional<Path> chain_beside(BoardView board, const Levels<Bits>& levels,
                                 BlockBounds<Bits>& bounds, Exponent value, Patience patience) {
  const std::uint64_t most = tile_value(value);
  ChainSearch<Bits, Landing<Bits>> search{
      levels, bounds, {.above = most / 2, .most = most}, patience.hasty};
  for (Bits likes = levels.at(value); likes != 0; likes &= likes - 1) {
    const Landing<Bits> landing{levels, lowest(likes)};
    for (std::size_t index = 0; index < levels.size() && levels[index].exponent < value; ++index) {
      if (levels[index].bound <= most / 2) {
        continue;
      }
      for (Bits ends = levels[index].cells & landing.columns(); ends != 0; ends &= ends - 1) {
        if (search.ask(lowest(ends), landing)) {
          return search.chain();
        }
      }
    }
  }
  return search.insist(board, patience.thorough);
}

template <class Bits>
std::optional<Hint> max_adjacent_in(BoardView board, Patience patience) {
  const Levels<Bits> levels{board};
  BlockBounds<Bits> bounds{levels};
  for (Exponent value = kExponentMax; value > 1; --value) {
    if (levels.at(value) == 0) {
      continue;
    }
    if (const auto chain = chain_beside(board, levels, bounds, value, patience)) {
      return Hint{.path = *chain, .value = value};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Hint> max_path(BoardView board, Patience patience) {
  return board.cells.size() <= 64 ? max_path_in<Bits64>(board, patience)
                                  : max_path_in<Bits128>(board, patience);
}

std::optional<Hint> max_adjacent(BoardView board, Patience patience) {
  return board.cells.size() <= 64 ? max_adjacent_in<Bits64>(board, patience)
                                  : max_adjacent_in<Bits128>(board, patience);
}

}  // namespace tesela::g2248
