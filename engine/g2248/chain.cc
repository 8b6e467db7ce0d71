#include "engine/g2248/chain.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <string>

namespace tesela::g2248 {

namespace {

std::unexpected<Error> illegal(std::string message) {
  return refuse(ErrorCode::kIllegalMove, std::move(message));
}

std::string place(BoardView board, Cell cell) {
  return "row " + std::to_string(cell / board.columns) + ", column " +
         std::to_string(cell % board.columns);
}

/// Why a step from one tile to another is none, given that it is the path's `number`-th, from 1.
std::unexpected<Error> why_no_step(BoardView board, Cell from, Cell to, std::size_t number) {
  if (!are_neighbours(board.columns, from, to)) {
    return illegal("A chain goes from neighbour to neighbour; " + place(board, to) +
                   " does not touch " + place(board, from) + ".");
  }
  const std::string values = std::to_string(tile_value(board.cells[to])) + " after " +
                             std::to_string(tile_value(board.cells[from]));
  if (number == 1) {
    return illegal("The second tile of a chain equals the first; " + values + " does not.");
  }
  return illegal("A tile of a chain equals the one before it or is its double; " + values +
                 " is neither.");
}

bool is_step(BoardView board, Cell from, Cell to, std::size_t number) {
  const int rise = board.cells[to] - board.cells[from];
  return are_neighbours(board.columns, from, to) && (rise == 0 || (rise == 1 && number > 1));
}

Expected<void> check_cells(BoardView board, std::span<const Cell> path) {
  std::bitset<kCellsMax> held;
  for (const Cell cell : path) {
    if (cell >= board.cells.size()) {
      return illegal("The board has no cell " + std::to_string(cell) + "; its cells are 0 to " +
                     std::to_string(board.cells.size() - 1) + ".");
    }
    if (board.cells[cell] == 0) {
      return illegal("A chain joins tiles; " + place(board, cell) + " is empty.");
    }
    if (held[cell]) {
      return illegal("A chain crosses no cell twice; this one comes back to " + place(board, cell) +
                     ".");
    }
    held.set(cell);
  }
  return {};
}

bool begins_chain(BoardView board, Cell cell) {
  // Two tiles of 2^60 are worth too much (R-2248-4).
  return board.cells[cell] != kExponentMax && (links_of(board, cell) & kEqualLinks) != 0;
}

/// The cells that a walk may step to.
struct Steps {
  std::uint32_t count{0};
  std::array<Cell, kDirections> to{};
};

/// The cells after `path`, whose sum is `sum`, that keep it a legal chain.
Steps steps_after(BoardView board, const Path& path, std::uint64_t sum,
                  const std::bitset<kCellsMax>& held) {
  Steps steps;
  const Exponent last = board.cells[path.back()];
  for_each_neighbour(board.rows, board.columns, path.back(), [&](std::size_t, Cell to) {
    const int rise = board.cells[to] - last;
    const bool step = rise == 0 || (rise == 1 && path.size() > 1);
    if (step && !held[to] && sum + tile_value(board.cells[to]) <= tile_value(kExponentMax)) {
      steps.to[steps.count++] = to;
    }
  });
  return steps;
}

}  // namespace

Exponent rounded(std::uint64_t sum) {
  const auto width = static_cast<int>(std::bit_width(sum - 1));
  return static_cast<Exponent>(std::min(width, int{kTooLarge}));
}

Exponent value_of(BoardView board, std::span<const Cell> path) {
  std::uint64_t sum = 0;
  for (const Cell cell : path) {
    sum += tile_value(board.cells[cell]);
    // Beyond 2^60 nothing is added, so that no path of 120 tiles can overflow.
    if (sum > tile_value(kExponentMax)) {
      return kTooLarge;
    }
  }
  return rounded(sum);
}

Expected<Exponent> check_chain(BoardView board, std::span<const Cell> path) {
  if (path.size() < 2) {
    return illegal("A chain joins at least two tiles.");
  }
  if (auto cells = check_cells(board, path); !cells) {
    return std::unexpected(std::move(cells).error());
  }
  for (std::size_t number = 1; number < path.size(); ++number) {
    if (!is_step(board, path[number - 1], path[number], number)) {
      return why_no_step(board, path[number - 1], path[number], number);
    }
  }
  const Exponent value = value_of(board, path);
  if (value == kTooLarge) {
    return illegal("A chain is worth at most 2^60; this one is worth more.");
  }
  return value;
}

bool has_chain(BoardView board) {
  for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
    if (begins_chain(board, static_cast<Cell>(cell))) {
      return true;
    }
  }
  return false;
}

Links links_of(BoardView board, Cell cell) {
  const Exponent exponent = board.cells[cell];
  unsigned links = 0;
  if (exponent == 0) {
    return 0;
  }
  for_each_neighbour(board.rows, board.columns, cell, [&](std::size_t direction, Cell to) {
    links |= (board.cells[to] == exponent ? 1U : 0U) << direction;
    links |= (board.cells[to] == exponent + 1 ? 1U : 0U) << (kDirections + direction);
  });
  return static_cast<Links>(links);
}

Path random_chain(BoardView board, Rng& rng) {
  constexpr std::uint32_t kOneEndsIn = 4;
  const auto size = static_cast<std::uint32_t>(board.cells.size());
  auto cell = static_cast<Cell>(rng.uniform(size));
  while (!begins_chain(board, cell)) {
    cell = static_cast<Cell>(rng.uniform(size));
  }
  Path path;
  std::uint64_t sum = 0;
  std::bitset<kCellsMax> held;
  for (;;) {
    path.push_back(cell);
    held.set(cell);
    sum += tile_value(board.cells[cell]);
    const Steps steps = steps_after(board, path, sum, held);
    if (steps.count == 0 || (path.size() > 1 && rng.uniform(kOneEndsIn) == 0)) {
      return path;
    }
    cell = steps.to[rng.uniform(steps.count)];
  }
}

}  // namespace tesela::g2248
