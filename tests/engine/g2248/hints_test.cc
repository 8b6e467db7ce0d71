// R-2248-9, R-2248-10: the hints are exact. The judge is a search of all chains.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/g2248/chain.h"
#include "engine/g2248/hints.h"
#include "engine/g2248/moves.h"
#include "tests/engine/g2248/position.h"
#include "tests/engine/seeds.h"
#include "tests/rounds.h"

namespace tesela::g2248 {
namespace g2248_hints_test {

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

Exponent checked_path(const Board& board, Patience patience = {}) {
  const std::optional<Hint> hint = max_path(board, patience);
  EXPECT_EQ(max_path(board, patience), hint) << "the same board, another answer";
  if (!hint) {
    return 0;
  }
  EXPECT_EQ(check_chain(board, hint->path.cells()), hint->value) << drawn(board);
  return hint->value;
}

Exponent checked_adjacent(const Board& board, Patience patience = {}) {
  const std::optional<Hint> hint = max_adjacent(board, patience);
  EXPECT_EQ(max_adjacent(board, patience), hint) << "the same board, another answer";
  if (!hint) {
    return 0;
  }
  EXPECT_EQ(check_chain(board, hint->path.cells()), hint->value) << drawn(board);
  EXPECT_TRUE(lands_beside_its_like(board, hint->path, hint->value)) << drawn(board);
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

/// No search from tile to tile at all: every question is answered by a sweep.
constexpr Patience kNoPatience{.hasty = 0, .thorough = 0};
/// No sweep at all.
constexpr Patience kEndlessPatience{.hasty = 0,
                                    .thorough = std::numeric_limits<std::uint64_t>::max()};

/// Both hints, by simple means, by the thorough ones that harder boards need, and by sweeps alone.
void check_against_all_chains(const Board& board) {
  const Best best = best_of_all(board);
  for (const Patience patience : {Patience{}, kEndlessPatience, kNoPatience}) {
    ASSERT_EQ(checked_path(board, patience), best.path) << drawn(board);
    ASSERT_EQ(checked_adjacent(board, patience), best.adjacent) << drawn(board);
  }
}

// R-2248-9, R-2248-10
TEST(G2248Hints, AgreeWithASearchOfAllChainsOnSmallBoards) {
  for (const Alphabet& alphabet : alphabets()) {
    SCOPED_TRACE(alphabet.name);
    Rng rng = dice(alphabet.name.size());
    for (int number = 0; number < test::rounds(2000); ++number) {
      const auto rows = static_cast<std::uint8_t>(1 + rng.uniform(3));
      const auto columns = static_cast<std::uint8_t>(1 + rng.uniform(4));
      ASSERT_NO_FATAL_FAILURE(check_against_all_chains(draw_board(rows, columns, alphabet, rng)));
    }
  }
}

// R-2248-9, R-2248-10
TEST(G2248Hints, AgreeWithASearchOfAllChainsOn4x4) {
  for (const Alphabet& alphabet : alphabets()) {
    if (alphabet.name == "2") {
      continue;  // 12 million paths: AllEqual
    }
    SCOPED_TRACE(alphabet.name);
    Rng rng = dice(alphabet.name.size());
    for (int number = 0; number < test::rounds(150); ++number) {
      ASSERT_NO_FATAL_FAILURE(check_against_all_chains(draw_board(4, 4, alphabet, rng)));
    }
  }
}

// R-2248-9, R-2248-10: boards of more than 64 cells are sets of 128 bits.
TEST(G2248Hints, AgreeWithASearchOfAllChainsOnLargeBoardsOfManyValues) {
  const Alphabet many{"2 .. 2^9",
                      [](Rng& rng) { return static_cast<Exponent>(1 + rng.uniform(9)); }};
  Rng rng = dice(7);
  for (int number = 0; number < 100; ++number) {
    ASSERT_NO_FATAL_FAILURE(check_against_all_chains(draw_board(12, 10, many, rng)));
    ASSERT_NO_FATAL_FAILURE(check_against_all_chains(draw_board(8, 8, many, rng)));
  }
}

/// Both hints, by sweeps alone and without any.
void check_sweeps_against_the_search(const Board& board) {
  ASSERT_EQ(checked_path(board, kNoPatience), checked_path(board, kEndlessPatience))
      << drawn(board);
  ASSERT_EQ(checked_adjacent(board, kNoPatience), checked_adjacent(board, kEndlessPatience))
      << drawn(board);
}

// R-2248-9, R-2248-10: on boards with more chains than can be looked at, along rows and along
// columns, of 64 and of 128 bits, sweeps and search agree.
TEST(G2248Hints, SweepsAgreeWithTheSearch) {
  for (const Alphabet& alphabet : alphabets()) {
    SCOPED_TRACE(alphabet.name);
    Rng rng = dice(alphabet.name.size());
    for (int number = 0; number < test::rounds(10); ++number) {
      ASSERT_NO_FATAL_FAILURE(check_sweeps_against_the_search(draw_board(8, 5, alphabet, rng)));
      ASSERT_NO_FATAL_FAILURE(check_sweeps_against_the_search(draw_board(4, 10, alphabet, rng)));
    }
    ASSERT_NO_FATAL_FAILURE(check_sweeps_against_the_search(draw_board(12, 6, alphabet, rng)));
  }
}

/// A board by a rule for each row and column.
Board board_by(std::uint8_t rows, std::uint8_t columns,
               const std::function<Exponent(int, int)>& exponent) {
  Board board{.rows = rows, .columns = columns};
  for (std::size_t cell = 0; cell < board.size(); ++cell) {
    board.cells[cell] =
        exponent(static_cast<int>(cell) / columns, static_cast<int>(cell) % columns);
  }
  return board;
}

// R-2248-9: all cells in one chain, 40 and 120 of them.
TEST(G2248MaxPath, AllEqual) {
  const auto two = [](int, int) { return Exponent{1}; };
  EXPECT_EQ(checked_path(board_by(4, 4, two)), 5);
  EXPECT_EQ(checked_path(board_by(8, 5, two)), 7);
  EXPECT_EQ(checked_path(board_by(12, 10, two)), 8);
  EXPECT_EQ(max_adjacent(board_by(8, 5, two)), std::nullopt);
}

// R-2248-9: 20 twos and 20 fours make 120, and 60 of each 360.
TEST(G2248MaxPath, Checkerboard) {
  const auto squares = [](int row, int column) {
    return static_cast<Exponent>(1 + (row + column) % 2);
  };
  EXPECT_EQ(checked_path(board_by(8, 5, squares)), 7);
  EXPECT_EQ(checked_path(board_by(12, 10, squares)), 9);
}

// R-2248-9: a stripe of twos leads into one of fours, and no way back.
TEST(G2248MaxPath, Stripes) {
  const auto rows = [](int row, int) { return static_cast<Exponent>(1 + row % 2); };
  const auto columns = [](int, int column) { return static_cast<Exponent>(1 + column % 2); };
  const auto rising = [](int row, int) { return static_cast<Exponent>(1 + row); };
  EXPECT_EQ(checked_path(board_by(8, 5, rows)), 5) << "10 and 20";
  EXPECT_EQ(checked_path(board_by(8, 5, columns)), 6) << "16 and 32";
  EXPECT_EQ(checked_path(board_by(12, 10, columns)), 7) << "24 and 48";
  EXPECT_EQ(checked_path(board_by(8, 5, rising)), 12) << "five of each from 2 to 256 make 2550";
}

// R-2248-9: an arm of twos winds into the middle between arms of fours, one cell wide.
TEST(G2248MaxPath, Spiral) {
  const Board spiral = board_of(R"(
      2   2   2   2   2
      4   4   4   4   2
      2   2   2   4   2
      2   4   2   4   2
      2   4   4   4   2
      2   4   4   4   2
      2   4   4   4   2
      2   2   2   2   2 )");
  EXPECT_EQ(checked_path(spiral), 7) << "24 twos, and fours from the middle on";
}

// R-2248-9: two rooms of twos and a door of one cell, and dead ends: only one end of each is seen.
TEST(G2248MaxPath, DeadEndsAreNotAllVisited) {
  const Board comb = board_of(R"(
      2   8   2   8   2   8   2
      2  32   2  32   2  32   2
      2   2   2   2   2   2   2 )");
  EXPECT_EQ(checked_path(comb), 5) << "11 of 13 twos, and an 8 is no double";
}

// R-2248-9
TEST(G2248MaxPath, WithoutAChainThereIsNone) {
  EXPECT_EQ(max_path(board_of("2 4 8\n 16 32 2")), std::nullopt);
  EXPECT_EQ(max_path(board_of("1152921504606846976 1152921504606846976")), std::nullopt);
}

// R-2248-9: of a chain of more than 2^60, a legal beginning.
TEST(G2248MaxPath, StopsAt2ToThe60) {
  const auto huge = [](int row, int) { return static_cast<Exponent>(56 + row); };
  const std::optional<Hint> hint = max_path(board_by(4, 5, huge));
  ASSERT_TRUE(hint.has_value());
  EXPECT_EQ(hint->value, kExponentMax);
  EXPECT_EQ(check_chain(board_by(4, 5, huge), hint->path.cells()), kExponentMax);
}

// R-2248-10: the 8 is made in the top row and falls beside the 8 that was there.
TEST(G2248MaxAdjacent, CountsAfterTheFall) {
  const Board falls = board_of(R"(
      4  32
      2   2
     64   8 )");
  EXPECT_EQ(checked_adjacent(falls), 3);
  const Board stays = board_of(R"(
      4  32
     16   2
     64   2
    128   8 )");
  EXPECT_EQ(checked_path(stays), 3) << "an 8 in row 0, far from the other; no 4 meets the other";
  EXPECT_EQ(max_adjacent(stays), std::nullopt);
}

// R-2248-10: the chain of 8 ends beside an 8, but its end falls away from it.
TEST(G2248MaxAdjacent, NeighbourMayStayBehind) {
  const Board board = board_of(R"(
      8   4
     64   2
    128   2 )");
  EXPECT_EQ(checked_path(board), 4);
  EXPECT_EQ(checked_adjacent(board), 2) << "twos alone make a 4, on which the other 4 falls";
}

// R-2248-10: cells between two of a column may be cleared away by the chain itself.
TEST(G2248MaxAdjacent, ChainMayClearTheWay) {
  const Board board = board_of(R"(
      8  32
      2  64
      2  16
      2 128 )");
  const std::optional<Hint> hint = max_adjacent(board);
  ASSERT_TRUE(hint.has_value());
  EXPECT_EQ(hint->value, 3);
  EXPECT_EQ(checked_adjacent(board), 3);
}

/// A limit of so many steps, in portions of 64.
StepLimit steps(std::uint64_t left) {
  return StepLimit{[left]() mutable {
    const std::uint64_t granted = std::min<std::uint64_t>(left, 64);
    left -= granted;
    return granted;
  }};
}

/// On which sweeps take 10 ms to refute what the search leaves open.
Board hard_board() {
  return board_of(R"(
      4    2    2    2    2
      2    2    2    2    2
      2    2    2    2    2
      2    2    2    2    2
      2    2  256    4    2
      2    4   32    2    2
      2    2    2  128    8
      2    2  256    2    2 )");
}

TEST(G2248HintsWithALimit, SameAnswersWhenItIsNotReached) {
  constexpr auto kPlenty = std::numeric_limits<std::uint64_t>::max();
  const Alphabet few = alphabets()[2];
  Rng rng = dice(11);
  std::vector<Board> boards{hard_board()};
  for (int number = 0; number < 200; ++number) {
    boards.push_back(draw_board(8, 5, few, rng));
  }
  for (const Board& board : boards) {
    ASSERT_EQ(max_path(board, {}, steps(kPlenty)), max_path(board)) << drawn(board);
    ASSERT_EQ(max_adjacent(board, {}, steps(kPlenty)), max_adjacent(board)) << drawn(board);
  }
}

/// Legal, as good as it says, and not better than the best.
void check_found_before_a_limit(const Board& board, std::uint64_t limit) {
  const std::optional<Hint> path = max_path(board, {}, steps(limit));
  const std::optional<Hint> best = max_path(board);
  ASSERT_EQ(path.has_value(), best.has_value()) << drawn(board);
  if (path) {
    EXPECT_EQ(check_chain(board, path->path.cells()), path->value) << drawn(board);
    EXPECT_LE(path->value, best->value) << drawn(board);
  }
  if (const std::optional<Hint> beside = max_adjacent(board, {}, steps(limit))) {
    EXPECT_EQ(check_chain(board, beside->path.cells()), beside->value) << drawn(board);
    EXPECT_TRUE(lands_beside_its_like(board, beside->path, beside->value)) << drawn(board);
    EXPECT_LE(beside->value, max_adjacent(board)->value) << drawn(board);
  }
}

TEST(G2248HintsWithALimit, TheBestSoFarWhenItIsReached) {
  Rng rng = dice(12);
  for (const std::uint64_t limit : {0U, 1U, 30U, 500U, 5'000U}) {
    SCOPED_TRACE(limit);
    ASSERT_NO_FATAL_FAILURE(check_found_before_a_limit(hard_board(), limit));
    for (const Alphabet& alphabet : alphabets()) {
      for (int number = 0; number < 40; ++number) {
        ASSERT_NO_FATAL_FAILURE(check_found_before_a_limit(draw_board(8, 5, alphabet, rng), limit));
        ASSERT_NO_FATAL_FAILURE(check_found_before_a_limit(draw_board(2, 3, alphabet, rng), limit));
      }
    }
  }
}

// The largest pair costs no step; what the search finds in passing is kept while it tries for more.
TEST(G2248HintsWithALimit, MoreStepsFindMore) {
  const auto value_after = [](std::uint64_t limit) {
    return max_path(hard_board(), {}, steps(limit)).value().value;
  };
  EXPECT_EQ(value_after(0), 2) << "two twos";
  EXPECT_EQ(value_after(10'000), 6);
  EXPECT_EQ(max_path(hard_board()).value().value, 7);
}

}  // namespace g2248_hints_test
}  // namespace tesela::g2248
