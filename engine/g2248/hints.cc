#include "engine/g2248/hints.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "engine/g2248/cell_set.h"
#include "engine/g2248/chain.h"
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

template <class Bits>
std::optional<Hint> max_path_in(BoardView board) {
  const Levels<Bits> levels{board};
  std::uint64_t bound = 0;
  for (std::size_t index = 0; index < levels.size(); ++index) {
    bound = std::max(bound, levels[index].bound);
  }
  if (bound == 0) {
    return std::nullopt;
  }
  for (Exponent value = std::min(rounded(bound), kExponentMax);; --value) {
    const std::uint64_t above = tile_value(value) / 2;
    Descent descent{levels, above, kNoLimit, AnyChain<Bits>{}};
    for (std::size_t index = levels.size(); index-- > 0;) {
      if (levels[index].bound <= above) {
        continue;
      }
      for (Bits ends = levels[index].cells; ends != 0; ends &= ends - 1) {
        if (descent.from(lowest(ends))) {
          Path chain = descent.chain();
          shorten(board, chain);
          return Hint{.path = chain, .value = value};
        }
      }
    }
  }
}

/// A chain of the value whose tile lands beside `like`, which has that value.
template <class Bits>
std::optional<Path> chain_beside(const Levels<Bits>& levels, Cell like, Exponent value) {
  const Landing<Bits> landing{levels, like};
  const std::uint64_t most = tile_value(value);
  Descent descent{levels, most / 2, most, landing};
  for (std::size_t index = 0; index < levels.size(); ++index) {
    if (levels[index].exponent >= value) {
      break;
    }
    if (levels[index].bound <= most / 2) {
      continue;
    }
    for (Bits ends = levels[index].cells & landing.columns(); ends != 0; ends &= ends - 1) {
      if (descent.from(lowest(ends))) {
        return descent.chain();
      }
    }
  }
  return std::nullopt;
}

template <class Bits>
std::optional<Hint> max_adjacent_in(BoardView board) {
  const Levels<Bits> levels{board};
  for (Exponent value = kExponentMax; value > 1; --value) {
    for (Bits likes = levels.at(value); likes != 0; likes &= likes - 1) {
      if (const auto chain = chain_beside(levels, lowest(likes), value)) {
        return Hint{.path = *chain, .value = value};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Hint> max_path(BoardView board) {
  return board.cells.size() <= 64 ? max_path_in<Bits64>(board) : max_path_in<Bits128>(board);
}

std::optional<Hint> max_adjacent(BoardView board) {
  return board.cells.size() <= 64 ? max_adjacent_in<Bits64>(board)
                                  : max_adjacent_in<Bits128>(board);
}

}  // namespace tesela::g2248
