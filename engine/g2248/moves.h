// The effects of a chain and of the booster on a board (R-2248-5, 7, 8), on a board of any
// capacity, told to any sink of stages. The server and the searches both play by this.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/grid.h"
#include "engine/core/rng.h"
#include "engine/g2248/board.h"
#include "engine/g2248/chain.h"
#include "engine/g2248/groups.h"
#include "engine/g2248/settle.h"

namespace tesela::g2248 {

// The stages of a move, as clients show them (R-2248-5, 8).

enum class StageKind : std::uint8_t { kSum, kClear, kFall, kRefill };

/// One stage. A chain has sum, clear, fall and refill, the booster clear, fall and refill; none is
/// left out.
struct Stage {
  StageKind kind{};
  Board board{};  // after the stage

  /// Clear: from every cell of the chain (in its order) or of each group (row-major) to the cell of
  /// the sum, all merged. Fall: every tile that moves, columns from the left, each from the bottom.
  std::vector<Motion> motions{};
  std::vector<Cell> refilled{};  // refill: the cells that were drawn, ascending
  std::uint64_t points{};        // sum: V; otherwise 0
  bool goal_reached{};           // sum: whether the points reached the goal

  friend bool operator==(const Stage&, const Stage&) = default;
};

/// A board of any capacity as a stage holds it.
template <std::size_t Capacity>
[[nodiscard]] constexpr Board full_size(const BoardOf<Capacity>& board) {
  Board full{.rows = board.rows, .columns = board.columns, .cells = {}};
  std::ranges::copy(board.used(), full.cells.begin());
  return full;
}

/// The value of a chain, and the score after it.
struct ChainWorth {
  Exponent value;
  bool goal_reached;
};

template <class Stages>
inline constexpr bool kTold = std::remove_cvref_t<Stages>::kWanted;

/// Puts `sum` into the cell `into` and empties the other `cells`. Appends what moves to `motions`
/// when the stage is told.
template <class Stages, std::size_t Capacity>
void merge(BoardOf<Capacity>& board, std::span<const Cell> cells, Cell into, Exponent sum,
           std::vector<Motion>& motions) {
  for (const Cell cell : cells) {
    board.cells[cell] = 0;
    if constexpr (kTold<Stages>) {
      motions.push_back({.from = cell, .to = into, .merged = true});
    }
  }
  board.cells[into] = sum;
}

/// Fall and refill; `range` is drawn from.
template <std::size_t Capacity, class Stages>
void settle(BoardOf<Capacity>& board, RefillRange range, Rng& rng, Stages&& stages) {
  if constexpr (kTold<Stages>) {
    Stage falling{.kind = StageKind::kFall};
    fall(board, [&](Cell from, Cell to) {
      falling.motions.push_back({.from = from, .to = to, .merged = false});
    });
    falling.board = full_size(board);
    stages(std::move(falling));
    Stage refilling{.kind = StageKind::kRefill};
    refill(board, range, rng, [&](Cell cell) { refilling.refilled.push_back(cell); });
    refilling.board = full_size(board);
    stages(std::move(refilling));
  } else {
    fall(board, [](Cell, Cell) {});
    refill(board, range, rng, [](Cell) {});
  }
}

/// Plays a chain that check_chain accepts, with its value (R-2248-5).
template <std::size_t Capacity, class Stages>
void join(BoardOf<Capacity>& board, std::span<const Cell> chain, ChainWorth worth, Rng& rng,
          Stages&& stages) {
  board.cells[chain.back()] = worth.value;
  if constexpr (kTold<Stages>) {
    stages(Stage{.kind = StageKind::kSum,
                 .board = full_size(board),
                 .points = tile_value(worth.value),
                 .goal_reached = worth.goal_reached});
  }
  const RefillRange range = refill_range(largest(board));
  std::vector<Motion> motions;
  merge<Stages>(board, chain, chain.back(), worth.value, motions);
  if constexpr (kTold<Stages>) {
    stages(
        Stage{.kind = StageKind::kClear, .board = full_size(board), .motions = std::move(motions)});
  }
  settle(board, range, rng, stages);
}

/// Plays the booster on groups that check_booster accepts (R-2248-8).
template <std::size_t Capacity, class Stages>
void collapse(BoardOf<Capacity>& board, const Groups& groups, Rng& rng, Stages&& stages) {
  std::vector<Motion> motions;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    const Group group = groups[index];
    merge<Stages>(board, group.cells, group.sum_cell(), value_of(board, group.cells), motions);
  }
  if constexpr (kTold<Stages>) {
    stages(
        Stage{.kind = StageKind::kClear, .board = full_size(board), .motions = std::move(motions)});
  }
  settle(board, refill_range(largest(board)), rng, stages);
}

}  // namespace tesela::g2248
