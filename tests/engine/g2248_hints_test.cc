// R-2248-9, R-2248-10: the hints are exact. The judge is a search of all chains.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/g2248/chain.h"
#include "engine/g2248/hints.h"
#include "engine/g2248/moves.h"
#include "tests/engine/g2248_position.h"
#include "tests/engine/seeds.h"

namespace tesela::g2248 {
namespace {

using test::board_of;
using test::dice;
using test::drawn;
using test::path_of;

/// Whether the tile that a chain makes stands beside one of its value after clear and fall, by
/// playing it. The made tile is followed by a mark that no tile has.
bool lands_beside_its_like(Board board, const Path& chain, Exponent value) {
  constexpr Exponent kMark = 255;
  for (const Cell cell : chain.cells()) {
    board.cells[cell] = 0;
  }
  board.cells[chain.back()] = kMark;
  fall(board, [](Cell, Cell) {});
  const auto made = static_cast<Cell>(std::ranges::find(board.cells, kMark) - board.cells.begin());
  bool beside = false;
  for_each_neighbour(board.rows, board.columns, made, [&](std::size_t, Cell neighbour) {
    beside = beside || board.cells[neighbour] == value;
  });
  return beside;
}

struct Best {
  Exponent path{0};
  Exponent adjacent{0};
};

/// Both hints' values by looking at every chain. 0: none.
Best best_of_all(const Board& board) {
  Best best;
  for_each_chain(board, [&](const Path& chain) {
    const Exponent value = value_of(board, chain.cells());
    best.path = std::max(best.path, value);
    if (value > best.adjacent && lands_beside_its_like(board, chain, value)) {
      best.adjacent = value;
    }
  });
  return best;
}

Exponent checked_path(const Board& board) {
  const std::optional<Hint> hint = max_path(board);
  if (!hint) {
    return 0;
  }
  EXPECT_EQ(check_chain(board, hint->path.cells()), hint->value) << drawn(board);
  EXPECT_EQ(max_path(board), hint) << "the same board, another answer";
  return hint->value;
}

Exponent checked_adjacent(const Board& board) {
  const std::optional<Hint> hint = max_adjacent(board);
  if (!hint) {
    return 0;
  }
  EXPECT_EQ(check_chain(board, hint->path.cells()), hint->value) << drawn(board);
  EXPECT_TRUE(lands_beside_its_like(board, hint->path, hint->value)) << drawn(board);
  EXPECT_EQ(max_adjacent(board), hint) << "the same board, another answer";
  return hint->value;
}

/// How the tiles of a board are drawn.
struct Alphabet {
  std::string name;
  std::function<Exponent(Rng&)> draw;
};

std::vector<Alphabet> alphabets() {
  const auto geometric = [](Rng& rng) {
    Exponent exponent = 1;
    while (rng.uniform(2) == 0) {
      ++exponent;
    }
    return exponent;
  };
  return {{"2", [](Rng&) { return Exponent{1}; }},
          {"2, 4", [](Rng& rng) { return static_cast<Exponent>(1 + rng.uniform(2)); }},
          {"2, 4, 8", [](Rng& rng) { return static_cast<Exponent>(1 + rng.uniform(3)); }},
          {"2, 4, 8, 16", [](Rng& rng) { return static_cast<Exponent>(1 + rng.uniform(4)); }},
          {"2, 8, 16", [](Rng& rng) { return std::array<Exponent, 3>{1, 3, 4}[rng.uniform(3)]; }},
          {"empty, 2, 4, 8", [](Rng& rng) { return static_cast<Exponent>(rng.uniform(4)); }},
          {"2^57 .. 2^60", [](Rng& rng) { return static_cast<Exponent>(57 + rng.uniform(4)); }},
          {"geometric", geometric}};
}

Board draw_board(std::uint8_t rows, std::uint8_t columns, const Alphabet& alphabet, Rng& rng) {
  Board board{.rows = rows, .columns = columns};
  for (Exponent& cell : board.used()) {
    cell = alphabet.draw(rng);
  }
  return board;
}

/// Boards up to 4 x 4 that a search of all chains can judge.
void against_all_chains(int boards, std::uint8_t side_max, const Alphabet& alphabet) {
  SCOPED_TRACE(alphabet.name);
  Rng rng = dice(alphabet.name.size());
  for (int number = 0; number < boards; ++number) {
    const auto rows = static_cast<std::uint8_t>(1 + rng.uniform(side_max));
    const auto columns = static_cast<std::uint8_t>(1 + rng.uniform(side_max));
    const Board board = draw_board(rows, columns, alphabet, rng);
    const Best best = best_of_all(board);
    ASSERT_EQ(checked_path(board), best.path) << drawn(board);
    ASSERT_EQ(checked_adjacent(board), best.adjacent) << drawn(board);
  }
}

// R-2248-9, R-2248-10
TEST(G2248Hints, AgreeWithASearchOfAllChains) {
  for (const Alphabet& alphabet : alphabets()) {
    against_all_chains(3000, 3, alphabet);
  }
}

}  // namespace
}  // namespace tesela::g2248
