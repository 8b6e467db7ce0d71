// Many chains of 2248, quickly: walks that take all reachable tiles of each value before they go on
// to its double, and all their beginnings. For searches that need thousands; the largest chain is
// found by engine/g2248/hints.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/core/rng.h"
#include "engine/g2248/board.h"
#include "engine/g2248/cell_set.h"
#include "engine/g2248/chain.h"
#include "engine/g2248/path.h"

namespace tesela::g2248 {

/// A chain, valid until the next one, and the exponent of its value.
struct Walk {
  std::span<const Cell> chain;
  Exponent value;
};

/// Walks on boards of one shape. `Bits` holds their cells.
template <class Bits>
class Walks {
 public:
  Walks(std::uint8_t rows, std::uint8_t columns) {
    const Shape<Bits> shape{rows, columns};
    for (std::size_t cell = 0; cell < std::size_t{rows} * columns; ++cell) {
      const auto at = set_of<Bits>(static_cast<Cell>(cell));
      around_[cell] = shape.grown(at) & ~at;
    }
  }

  /// Calls `sink(chain)` for chains of all kinds: of a walk from every tile that begins one every
  /// beginning, the shortest first.
  template <class Sink>
  void each(BoardView board, Sink&& sink) {
    each_walk(board, [](Bits ways) { return lowest(ways); }, sink);
  }
  /// The same with each step drawn where there are several.
  template <class Sink>
  void each_drawn(BoardView board, Rng& rng, Sink&& sink) {
    each_walk(
        board,
        [&](Bits ways) {
          for (std::uint32_t skip = rng.uniform(static_cast<std::uint32_t>(count(ways))); skip > 0;
               --skip) {
            ways &= ways - 1;
          }
          return lowest(ways);
        },
        sink);
  }

 private:
  template <class Pick, class Sink>
  void each_walk(BoardView board, Pick&& pick, Sink& sink) {
    read(board);
    for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
      const auto start = static_cast<Cell>(cell);
      if (!begins(board, start)) {
        continue;
      }
      walk(board, start, pick);
      std::uint64_t sum = tile_value(board.cells[start]);
      for (std::size_t size = 2; size <= path_.size(); ++size) {
        const auto cells = path_.cells().first(size);
        sum += tile_value(board.cells[cells.back()]);
        sink(Walk{.chain = cells, .value = rounded(sum)});
      }
    }
  }

  void read(BoardView board) {
    at_.fill(Bits{0});
    for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
      at_[board.cells[cell]] |= set_of<Bits>(static_cast<Cell>(cell));
    }
  }

  [[nodiscard]] bool begins(BoardView board, Cell cell) const {
    const Exponent exponent = board.cells[cell];
    return exponent != 0 && exponent < kExponentMax && (around_[cell] & at_[exponent]) != 0;
  }

  /// Leaves the chain in path_. At each value the walk goes on to the double as late as it can, and
  /// ends when it cannot.
  template <class Pick>
  void walk(BoardView board, Cell start, Pick&& pick) {
    path_ = {};
    std::uint64_t sum = 0;
    std::uint64_t sum_up = 0;  // where the walk could last go up
    std::size_t size_up = 0;   // 0: nowhere on this value
    Bits held{};
    Bits held_up{};
    Cell cell = start;
    for (;;) {
      const Exponent exponent = board.cells[cell];
      if (sum + tile_value(exponent) > tile_value(kExponentMax)) {
        break;
      }
      path_.push_back(cell);
      held |= set_of<Bits>(cell);
      sum += tile_value(exponent);
      const Bits equal = around_[cell] & at_[exponent] & ~held;
      const Bits up = path_.size() < 2 ? Bits{0} : around_[cell] & at_[exponent + 1U] & ~held;
      if (up != 0) {
        sum_up = sum;
        size_up = path_.size();
        held_up = held;
      }
      if (equal != 0) {
        cell = pick(narrowest(equal, at_[exponent] & ~held));
        continue;
      }
      if (size_up == 0) {
        break;
      }
      // Back to the last place that led up.
      while (path_.size() > size_up) {
        path_.pop_back();
      }
      sum = sum_up;
      held = held_up;
      const Exponent from = board.cells[path_.back()];
      cell = pick(around_[path_.back()] & at_[from + 1U] & ~held);
      size_up = 0;
    }
  }

  /// Those of `ways` from which the fewest lead on within `left`.
  [[nodiscard]] Bits narrowest(Bits ways, Bits left) const {
    Bits narrowest{};
    int fewest = static_cast<int>(kDirections) + 1;
    for_each_cell(ways, [&](Cell to) {
      const int on = count(around_[to] & left);
      if (on < fewest) {
        fewest = on;
        narrowest = Bits{0};
      }
      narrowest |= on == fewest ? set_of<Bits>(to) : Bits{0};
    });
    return narrowest;
  }

  std::array<Bits, kCellsMax> around_{};
  std::array<Bits, kExponentMax + 2> at_{};  // the cells of each exponent; none has the last
  Path path_;
};

}  // namespace tesela::g2248
