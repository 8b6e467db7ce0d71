// Chains: the paths that are moves, and their values (R-2248-3, 4, 11, 12).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/core/result.h"
#include "engine/core/rng.h"
#include "engine/g2248/board.h"
#include "engine/g2248/path.h"

namespace tesela::g2248 {

/// In place of an exponent: a sum of more than 2^60.
inline constexpr Exponent kTooLarge = kExponentMax + 1;

/// The exponent of the smallest power of two that is at least `sum` (R-2248-4); `sum` is at
/// least 1. kTooLarge for a sum of more than 2^60.
[[nodiscard]] Exponent rounded(std::uint64_t sum);

/// The exponent of V (R-2248-4): the value of a path, also while it is drawn (R-2248-11). Any path
/// of at least one cell with a tile in each; a single one is worth itself.
[[nodiscard]] Exponent value_of(BoardView board, std::span<const Cell> path);

/// The exponent of V of a chain. Refuses with kIllegalMove any path that is none, and a chain whose
/// V is more than 2^60.
[[nodiscard]] Expected<Exponent> check_chain(BoardView board, std::span<const Cell> path);

/// Whether a legal chain exists (R-2248-12).
[[nodiscard]] bool has_chain(BoardView board);

/// Which steps a chain may take from one cell: bit d for a neighbour of the same value in direction
/// d, bit 8 + d for one of the double. A legal chain takes a lower bit first, then any bits, and
/// crosses no cell twice.
using Links = std::uint16_t;
inline constexpr unsigned kEqualLinks = 0xff;
[[nodiscard]] Links links_of(BoardView board, Cell cell);

/// A random walk of legal steps, for simulations: every legal chain may come, though not all are as
/// likely. The start is drawn uniformly among the cells that begin a chain, each step uniformly
/// among the legal ones, and before each step after the first uniform(4) ends the chain when it is
/// 0. The board has a chain. Costs a fraction of a microsecond.
[[nodiscard]] Path random_chain(BoardView board, Rng& rng);

/// Whether a sink that has been told of something wants more. Those that return nothing always do.
template <class Sink, class Value>
bool wants_more(Sink& sink, const Value& value) {
  if constexpr (std::same_as<decltype(sink(value)), void>) {
    sink(value);
    return true;
  } else {
    return sink(value);
  }
}

/// All legal chains of a board, one after the other; they are never held together.
template <class Sink>
class ChainWalk {
 public:
  ChainWalk(BoardView board, Sink& sink) : board_{board}, sink_{sink} {}

  /// False when the sink stopped it.
  bool from(Cell start) {
    add(start, 0);
    const bool more = go_on(links_of(board_, start) & kEqualLinks);
    remove();
    return more;
  }

 private:
  void add(Cell cell, std::uint64_t sum_before) {
    path_.push_back(cell);
    held_[cell] = true;
    sums_[path_.size()] = sum_before + tile_value(board_.cells[cell]);
  }

  void remove() {
    held_[path_.back()] = false;
    path_.pop_back();
  }

  bool go_on(unsigned links) {
    const Cell cell = path_.back();
    bool more = true;
    for_each_neighbour(board_.rows, board_.columns, cell, [&](std::size_t direction, Cell to) {
      const bool linked =
          (links >> direction & 1U) != 0 || (links >> (kDirections + direction) & 1U) != 0;
      const std::uint64_t sum = sums_[path_.size()];
      if (!more || !linked || held_[to] ||
          sum + tile_value(board_.cells[to]) > tile_value(kExponentMax)) {
        return;
      }
      add(to, sum);
      more = wants_more(sink_, path_) && go_on(links_of(board_, to));
      remove();
    });
    return more;
  }

  BoardView board_;
  Sink& sink_;
  Path path_;
  std::array<bool, kCellsMax> held_{};
  std::array<std::uint64_t, kCellsMax + 1> sums_{};  // by the size of the path
};

/// Calls `sink(path)` for every legal chain: starts row-major, a chain before those that go on from
/// it, steps in the order of kNeighbours. A sink that returns bool stops the walk with false. There
/// may be more chains than can ever be counted; each costs tens of nanoseconds.
template <class Sink>
void for_each_chain(BoardView board, Sink&& sink) {
  ChainWalk walk{board, sink};
  for (std::size_t start = 0; start < board.cells.size(); ++start) {
    if (board.cells[start] != 0 && !walk.from(static_cast<Cell>(start))) {
      return;
    }
  }
}

}  // namespace tesela::g2248
