// The look ahead on packed boards: it finds what a plain one finds, whatever it remembers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "engine/g2048/board.h"
#include "engine/strategy/g2048/evaluation.h"
#include "engine/strategy/g2048/last_moves.h"
#include "engine/strategy/g2048/packed_look.h"
#include "engine/strategy/registry.h"
#include "tests/engine/g2048/position.h"
#include "tests/engine/seeds.h"

namespace tesela::g2048 {
namespace {

using test::dice;

/// The mean over all spawns of the best of all moves, so many moves deep, by the rules alone.
double plain_mean(const Board& moved, const Config& config, int depth) {
  if (depth == 0) {
    return worth_of(moved, config.size);
  }
  double sum = 0;
  for (std::uint32_t nth = 0; nth < moved.empty_count(); ++nth) {
    for (const SpawnWeight& weight : std::span{config.weights}.first(config.weight_count)) {
      Board spawned = moved;
      spawned.put(spawned.nth_empty(nth), weight.exponent);
      auto most = static_cast<double>(kLostWorth);
      for (const Direction direction : kDirections) {
        if (spawned.changes(direction)) {
          Board next = spawned;
          next.slide(direction);
          most = std::max(most, plain_mean(next, config, depth - 1));
        }
      }
      sum += weight.per_mille * most / kPerMille;
    }
  }
  return sum / moved.empty_count();
}

Cells draw_cells(Rng& rng) {
  Cells cells{};
  for (std::size_t cell = 0; cell < 16; ++cell) {
    cells[cell] = static_cast<Exponent>(rng.uniform(3) == 0 ? 0 : 1 + rng.uniform(9));
  }
  cells[rng.uniform(16)] = 0;
  return cells;
}

TEST(StrategyPackedLook, FindsWhatAPlainLookFinds) {
  const Config config;
  for (std::uint64_t number = 0; number < 60; ++number) {
    Rng rng = dice(number);
    const Cells cells = draw_cells(rng);
    const Budget budget{};
    NodeCounter nodes{budget};
    WorthCache cache{0};
    PackedLook look{RowWorths::get(), cache, config, nodes};
    for (int depth = 1; depth <= 3; ++depth) {
      const double plain = plain_mean(Board{4, cells}, config, depth - 1);
      const float found = look.after_move(PackedBoard{cells}.bits(), {.depth = depth});
      EXPECT_NEAR(found, plain, std::abs(plain) * 1e-4 + 1)
          << "depth " << depth << test::drawn(cells, 4);
    }
  }
}

/// The legal moves of a board by the rules alone.
LastMovesFound plain_moves(const RowWorths& worths, const Cells& cells) {
  LastMovesFound found;
  const Board board{4, cells};
  for (const Direction direction : kDirections) {
    if (board.changes(direction)) {
      Board next = board;
      next.slide(direction);
      const std::uint64_t tiles = PackedBoard{next.cells()}.bits();
      found.most = std::max(found.most,
                            worths.of_rows(tiles) + worths.of_rows(PackedBoard::transposed(tiles)));
      ++found.count;
    }
  }
  return found;
}

TEST(StrategyLastMoves, AreThoseOfTheBoardWithTheTile) {
  BoardWeights unlike = standard_weights();
  unlike.inside.empty *= 3;
  for (const RowWorths& worths : {RowWorths::get(), RowWorths{unlike}}) {
    for (std::uint64_t number = 0; number < 300; ++number) {
      Rng rng = dice(number);
      const Cells cells = draw_cells(rng);
      const std::uint64_t board = PackedBoard{cells}.bits();
      const LastMoves moves{worths, board};
      for (std::uint64_t left = PackedBoard::empty_cells(board); left != 0; left &= left - 1) {
        for (const Exponent exponent : {Exponent{1}, Exponent{2}}) {
          PackedBoard with{cells};
          with.put(left & -left, exponent);
          const LastMovesFound found = moves.with(left & -left, exponent);
          const LastMovesFound expected = plain_moves(worths, with.cells());
          ASSERT_EQ(found.count, expected.count) << test::drawn(with.cells(), 4);
          ASSERT_EQ(found.most, expected.most) << test::drawn(with.cells(), 4);
        }
      }
    }
  }
}

TEST(StrategyPackedLook, RemembersWhatItFound) {
  const Config config;
  const g2048::State s = test::position(R"(
      2    4    8   16
      .    .    2    4
      .    .    .    2
      .    .    .    . )");
  const Budget budget{};
  std::array<std::uint64_t, 2> spent{};
  std::array<float, 2> found{};
  for (std::size_t size = 0; size < 2; ++size) {
    NodeCounter nodes{budget};
    WorthCache cache{size == 0 ? 0 : WorthCache::kBytesMax};
    PackedLook look{RowWorths::get(), cache, config, nodes};
    found[size] = look.after_move(PackedBoard{s.cells}.bits(), {.depth = 4});
    spent[size] = nodes.spent();
  }
  EXPECT_LT(spent[1], spent[0] / 2);
  EXPECT_NEAR(found[1], found[0], std::abs(found[0]) * 0.01);
}

TEST(StrategyPackedLook, SaysWhetherADeeperLookFindsMore) {
  const Config config;
  const Budget budget{};
  NodeCounter nodes{budget};
  WorthCache cache{0};
  PackedLook look{RowWorths::get(), cache, config, nodes};
  const g2048::State s = test::position(R"(
      2    4    8   16
      4    8   16    4
      8   16    4    2
     16    4    2    . )");
  static_cast<void>(look.after_move(PackedBoard{s.cells}.bits(), {.depth = 3}));
  EXPECT_TRUE(look.take_reached_depth());
  EXPECT_FALSE(look.take_reached_depth()) << "since the last call";
  static_cast<void>(
      look.after_move(PackedBoard{s.cells}.bits(), {.depth = 9, .chance_min = 0.95F}));
  EXPECT_FALSE(look.take_reached_depth()) << "chance ends every line before";
}

TEST(StrategyExpectimax, RanksAllMovesWithTheirWorths) {
  const g2048::State s = test::position(R"(
      .    .    .    .
      .    2    4    .
      .    8    2    .
      .    .    .    . )");
  Rng rng = dice(1);
  const auto strategy = make_strategy<Game>("expectimax").value();
  const auto ranked = strategy->rank(s, Seat{0}, rng, {.nodes = 20'000}, 9);
  ASSERT_EQ(ranked.size(), 4U);
  for (std::size_t place = 1; place < ranked.size(); ++place) {
    EXPECT_GE(ranked[place - 1].value, ranked[place].value);
  }
  EXPECT_EQ(strategy->choose(s, Seat{0}, rng, {.nodes = 20'000}), ranked.front());
}

// The lines of these boards are worth less than nothing.
TEST(StrategyExpectimax, LooksAheadOnBoardsOfScatteredLargeTiles) {
  const g2048::State s = test::position(R"(
       4 1024    8    2
    2048   16  512    4
       2  256    4   32
       8    2    .    . )");
  Rng rng = dice(1);
  const auto shallow =
      make_strategy<Game>("expectimax").value()->rank(s, Seat{0}, rng, {.nodes = 4}, 9);
  const auto deep =
      make_strategy<Game>("expectimax").value()->rank(s, Seat{0}, rng, {.nodes = 100'000}, 9);
  ASSERT_EQ(deep.size(), 2U);
  for (const auto& choice : deep) {
    EXPECT_GT(choice.value, static_cast<double>(kLostWorth));
  }
  EXPECT_NE(deep, shallow);
}

TEST(StrategyExpectimax, WorthsOfBoardsInPlayKeepTheirOrder) {
  auto before = static_cast<double>(kLostWorth);
  for (const double lines : {-1e12, -1e9, -1e6, -1.0, 0.0, 99'999.0, 100'000.0, 100'001.0, 4e6}) {
    EXPECT_GT(in_play(lines), before);
    before = in_play(lines);
  }
  EXPECT_EQ(before, 4e6);
  EXPECT_LT(before, static_cast<double>(kWonWorth));
}

// Down wins too, a move later: the look that would find it is cut short.
TEST(StrategyExpectimax, DoesNotJudgeWhatTheLastLookDidNotReach) {
  const g2048::State s = test::position(R"(
    1024 1024   32    8    4    2
       2    4    8   16   32    .
       .    .    2    .    .    .
       .    .    .    .    .    .
       .    .    .    .    .    .
       .    .    .    .    .    . )",
                                        {.stop_at_objective = true});
  Rng rng = dice(1);
  for (const std::uint64_t nodes : {100U, 1'000U, 10'000U, 100'000U}) {
    const auto choices = make_strategy<Game>("expectimax")
                             .value()
                             ->compare(s, Seat{0}, rng, {.nodes = nodes}, {Direction::kDown});
    for (const auto& choice : choices) {
      EXPECT_TRUE(!choice.value || *choice.value == static_cast<double>(kWonWorth))
          << nodes << " nodes: " << static_cast<int>(choice.move.direction);
      EXPECT_TRUE(choice.value || nodes < 100'000);
    }
  }
}

}  // namespace
}  // namespace tesela::g2048
