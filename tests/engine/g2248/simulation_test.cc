// R-2248-1..8, 12 in thousands of random games, with every kind of configuration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "engine/g2248/g2248.h"
#include "tests/engine/random_simulation.h"
#include "tests/engine/seeds.h"

namespace tesela::test {
namespace {

using g2248::Board;
using g2248::Cell;
using g2248::Move;
using g2248::MoveKind;
using g2248::Path;
using g2248::State;

Move chain(const Path& path) {
  return {.kind = MoveKind::kChain, .chain = path};
}

/// R-2248-3 and 4 once more, word by word.
bool is_chain(const Board& board, const Path& path) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Cell cell = path.cells()[i];
    if (cell >= board.rows * board.columns || std::ranges::count(path.cells(), cell) != 1) {
      return false;
    }
    sum += g2248::tile_value(board.cells[cell]);
    if (i == 0) {
      continue;
    }
    const Cell before = path.cells()[i - 1];
    const bool touches = std::abs(cell / board.columns - before / board.columns) <= 1 &&
                         std::abs(cell % board.columns - before % board.columns) <= 1;
    const int rise = board.cells[cell] - board.cells[before];
    if (!touches || rise < 0 || rise > (i == 1 ? 0 : 1)) {
      return false;
    }
  }
  return path.size() >= 2 && sum <= std::uint64_t{1} << 60U;
}

/// R-2248-8: whether a group exists. No tile of these games is near 2^60.
bool has_pair(const Board& board) {
  for (int a = 0; a < board.rows * board.columns; ++a) {
    for (int b = 0; b < a; ++b) {
      if (is_chain(board, {static_cast<Cell>(a), static_cast<Cell>(b)})) {
        return true;
      }
    }
  }
  return false;
}

/// Any cells, one after the other.
Path any_path(const Board& board, Rng& rng) {
  Path path;
  const auto cells = static_cast<std::uint32_t>(board.size());
  for (auto left = rng.uniform(5); left > 0; --left) {
    path.push_back(static_cast<Cell>(rng.uniform(cells + 1)));
  }
  return path;
}

/// A path with a cell of it changed to any other.
Path misdrawn(const Path& path, const Board& board, Rng& rng) {
  std::vector<Cell> cells(path.cells().begin(), path.cells().end());
  cells[rng.uniform(static_cast<std::uint32_t>(cells.size()))] =
      static_cast<Cell>(rng.uniform(static_cast<std::uint32_t>(board.size())));
  return Path{cells};
}

Path reversed(const Path& path) {
  std::vector<Cell> cells(path.cells().rbegin(), path.cells().rend());
  return Path{cells};
}

struct Simulated2248 {
  using Game = g2248::Game;

  static constexpr std::size_t kListedMax = 20;

  static g2248::Config config(Rng& rng) {
    g2248::Config config;
    if (rng.uniform(2) == 0) {
      config.rows = static_cast<std::uint8_t>(3 + rng.uniform(10));
      config.columns = static_cast<std::uint8_t>(3 + rng.uniform(8));
    }
    config.goal = 1 + rng.uniform(5000);
    return config;
  }

  static bool is_legal(const State& s, const Move& move) {
    return move.kind == MoveKind::kBooster ? has_pair(s.board) : is_chain(s.board, move.chain);
  }

  /// The booster, chains, and paths that nearly are or are not.
  static std::vector<Move> moves(const State& s) {
    std::uint64_t number = s.score;
    for (const auto cell : s.board.used()) {
      number = number * 31 + cell;
    }
    Rng rng = dice(number);
    std::vector<Move> moves{Move{.kind = MoveKind::kBooster}, chain({}), chain({0}), chain({0, 0})};
    for (int i = 0; i < 4; ++i) {
      moves.push_back(chain(any_path(s.board, rng)));
      if (Game::turn(s)) {
        const Path path = random_chain(s.board, rng);
        moves.insert(moves.end(),
                     {chain(path), chain(reversed(path)), chain(misdrawn(path, s.board, rng))});
      }
    }
    return moves;
  }

  static bool shows(const g2248::Stage& stage, const State& s) { return stage.board == s.board; }
};

TEST(G2248Simulation, RandomGames) {
  random_simulation<Simulated2248>({.games = 10'000, .moves_max = 60, .probed_every = 4});
}

TEST(G2248Simulation, LongGames) {
  random_simulation<Simulated2248>({.games = 50, .moves_max = 2'000});
}

/// Every path of neighbours on a 3 x 3 board.
void all_paths(const Board& board, Path& path, std::vector<Path>& all) {
  all.push_back(path);
  for (Cell cell = 0; cell < board.size(); ++cell) {
    const bool held = std::ranges::count(path.cells(), cell) != 0;
    if (!held && (path.empty() || g2248::are_neighbours(board.columns, path.back(), cell))) {
      path.push_back(cell);
      all_paths(board, path, all);
      path.pop_back();
    }
  }
}

// R-2248-3
TEST(G2248Simulation, OfAllPathsTheLegalOnesAreListedOnce) {
  Path path;
  std::vector<Path> all;
  all_paths({.rows = 3, .columns = 3}, path, all);
  for (std::uint64_t number = 0; number < 60; ++number) {
    Rng rng = dice(number);
    State s = g2248::Game::start({.rows = 3, .columns = 3}, rng).value();
    for (auto& cell : s.board.used()) {
      cell = static_cast<g2248::Exponent>(1 + rng.uniform(3));
    }
    std::vector<Move> listed;
    g2248::Game::legal_moves(s, g2248::kOnlySeat,
                             [&](const Move& move) { listed.push_back(move); });
    std::size_t legal = has_pair(s.board) ? 1 : 0;
    for (const Path& candidate : all) {
      if (is_chain(s.board, candidate)) {
        ++legal;
        ASSERT_EQ(std::ranges::count(listed, chain(candidate)), 1);
      }
    }
    ASSERT_EQ(listed.size(), legal);
  }
}

}  // namespace
}  // namespace tesela::test
