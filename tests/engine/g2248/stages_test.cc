// R-2248-5, R-2248-8: what a client is told of a move.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "engine/g2248/g2248.h"
#include "tests/engine/g2248/position.h"
#include "tests/engine/seeds.h"

namespace tesela::g2248 {
namespace g2248_stages_test {

using test::dice;
using test::drawn;
using test::drawn_2248;
using test::path_of;
using test::position_2248;
using testing::ElementsAre;

struct Played {
  State after;
  std::vector<Stage> stages;
};

Played play(const State& s, const Move& move, Rng& rng) {
  Played played{};
  played.after = Game::apply(s, kOnlySeat, move, rng, CollectStages{played.stages}).value();
  return played;
}

Played play(const State& s, const Move& move) {
  Rng rng = dice(1);
  return play(s, move, rng);
}

std::vector<StageKind> kinds(const Played& played) {
  std::vector<StageKind> kinds;
  kinds.reserve(played.stages.size());
  for (const Stage& stage : played.stages) {
    kinds.push_back(stage.kind);
  }
  return kinds;
}

// R-2248-5
TEST(G2248Stages, ChainIsSumClearFallRefill) {
  const State s = position_2248(R"(
     16   8  64
      2  16  32
      2   4   8
     64  32  16 )");
  const Played played =
      play(s, {.kind = MoveKind::kChain, .chain = path_of(s.board, {{1, 0}, {2, 0}, {2, 1}})});
  ASSERT_THAT(kinds(played), ElementsAre(StageKind::kSum, StageKind::kClear, StageKind::kFall,
                                         StageKind::kRefill));
  const Stage& sum = played.stages[0];
  EXPECT_EQ(drawn(sum.board), drawn_2248(R"(
     16   8  64
      2  16  32
      2   8   8
     64  32  16 )"));
  EXPECT_EQ(sum.points, 8U);
  EXPECT_TRUE(sum.motions.empty());
  const Stage& clear = played.stages[1];
  EXPECT_EQ(drawn(clear.board), drawn_2248(R"(
     16   8  64
      .  16  32
      .   8   8
     64  32  16 )"));
  EXPECT_THAT(clear.motions,
              ElementsAre(Motion{3, 7, true}, Motion{6, 7, true}, Motion{7, 7, true}));
  EXPECT_EQ(clear.points, 0U);
  const Stage& fall = played.stages[2];
  EXPECT_EQ(drawn(fall.board), drawn_2248(R"(
      .   8  64
      .  16  32
     16   8   8
     64  32  16 )"));
  EXPECT_THAT(fall.motions, ElementsAre(Motion{0, 6, false}));
  const Stage& refill = played.stages[3];
  EXPECT_THAT(refill.refilled, ElementsAre(0, 3));
  EXPECT_EQ(refill.board, played.after.board);
}

// R-2248-5
TEST(G2248Stages, NoneIsLeftOutWhenNothingFalls) {
  const State s = position_2248("2 2 4\n 8 16 32");
  const Played played =
      play(s, {.kind = MoveKind::kChain, .chain = path_of(s.board, {{0, 0}, {0, 1}})});
  ASSERT_THAT(kinds(played), ElementsAre(StageKind::kSum, StageKind::kClear, StageKind::kFall,
                                         StageKind::kRefill));
  EXPECT_TRUE(played.stages[2].motions.empty());
  EXPECT_EQ(played.stages[2].board, played.stages[1].board);
}

// R-2248-5
TEST(G2248Stages, LastCellOfTheChainFallsToo) {
  const State s = position_2248(R"(
      4   2   8
      2  16  32
      2  64   8 )");
  const Played played =
      play(s, {.kind = MoveKind::kChain, .chain = path_of(s.board, {{2, 0}, {1, 0}, {0, 1}})});
  EXPECT_EQ(drawn(played.stages[2].board), drawn_2248(R"(
      .   8   8
      .  16  32
      4  64   8 )"));
  const Played up =
      play(s, {.kind = MoveKind::kChain, .chain = path_of(s.board, {{2, 0}, {1, 0}, {0, 0}})});
  EXPECT_EQ(drawn(up.stages[2].board), drawn_2248(R"(
      .   2   8
      .  16  32
      8  64   8 )"));
  EXPECT_THAT(up.stages[2].motions, ElementsAre(Motion{0, 6, false}));
}

// R-2248-8
TEST(G2248Stages, BoosterIsClearFallRefill) {
  const State s = position_2248(R"(
      2   2   4
      8   2   4
      8  16  32 )");
  const Played played = play(s, {.kind = MoveKind::kBooster});
  ASSERT_THAT(kinds(played), ElementsAre(StageKind::kClear, StageKind::kFall, StageKind::kRefill));
  const Stage& clear = played.stages[0];
  EXPECT_EQ(drawn(clear.board), drawn_2248(R"(
      .   .   .
      .   8   8
     16  16  32 )"));
  EXPECT_THAT(clear.motions, ElementsAre(Motion{0, 4, true}, Motion{1, 4, true}, Motion{4, 4, true},
                                         Motion{2, 5, true}, Motion{5, 5, true}, Motion{3, 6, true},
                                         Motion{6, 6, true}));
  EXPECT_EQ(clear.points, 0U);
  EXPECT_EQ(played.stages[1].board, clear.board);
  EXPECT_THAT(played.stages[2].refilled, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(played.after.score, 0U);
}

// R-2248-8
TEST(G2248Stages, BoosterSumStandsInTheLowestRowAndThereRightmost) {
  const State s = position_2248(R"(
      2   4   2
      2   8   2
      4   2  16 )");
  const Played played = play(s, {.kind = MoveKind::kBooster});
  EXPECT_EQ(drawn(played.stages[0].board), drawn_2248(R"(
      .   4   .
      .   8   .
      4  16  16 )"));
}

// R-2248-7
TEST(G2248Stages, RefillFollowsTheLargestTileAfterTheSum) {
  const State s = position_2248(R"(
    256 256   2
      4  16   8 )");
  Rng rng = dice(1);
  Rng draws = rng;
  const Played played =
      play(s, {.kind = MoveKind::kChain, .chain = path_of(s.board, {{0, 0}, {0, 1}})}, rng);
  // The sum is 2^9, so that 2^1 to 2^8 are drawn; 2^9 stood nowhere before.
  EXPECT_EQ(played.after.board.cells[0], 1 + draws.uniform(8));
  EXPECT_EQ(rng, draws);
}

/// A board after a stage, made from the board before it by its motions alone, as a client does; the
/// sums are those of the stage.
Board animated(const Board& before, const Stage& stage) {
  Board after = before;
  for (const Motion& motion : stage.motions) {
    after.cells[motion.from] = 0;
  }
  for (const Motion& motion : stage.motions) {
    after.cells[motion.to] =
        motion.merged ? stage.board.cells[motion.to] : before.cells[motion.from];
  }
  for (const Cell cell : stage.refilled) {
    EXPECT_EQ(after.cells[cell], 0);
    after.cells[cell] = stage.board.cells[cell];
  }
  return after;
}

// R-2248-5
TEST(G2248Stages, MotionsAloneMakeTheNextGrid) {
  for (std::uint8_t side = 3; side <= 10; ++side) {
    Rng rng = dice(side);
    State s = Game::start({.rows = side, .columns = side}, rng).value();
    for (int number = 0; number < 200 && Game::turn(s); ++number) {
      const bool booster = number % 8 == 0;
      const Move move = booster
                            ? Move{.kind = MoveKind::kBooster}
                            : Move{.kind = MoveKind::kChain, .chain = random_chain(s.board, rng)};
      const Played played = play(s, move, rng);
      Board board = s.board;
      if (!booster) {
        board.cells[move.chain.back()] = value_of(s.board, move.chain.cells());
      }
      for (const Stage& stage : played.stages) {
        board = animated(board, stage);
        ASSERT_EQ(drawn(board), drawn(stage.board));
      }
      s = played.after;
    }
  }
}

}  // namespace g2248_stages_test
}  // namespace tesela::g2248
