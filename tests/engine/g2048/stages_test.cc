// R-2048-7: what a client is told of a move.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "engine/g2048/g2048.h"
#include "tests/engine/g2048/position.h"
#include "tests/engine/seeds.h"

namespace tesela::g2048 {
namespace {

using test::dice;
using test::drawn;
using test::position;
using testing::ElementsAre;

struct Played {
  State after;
  std::vector<Stage> stages;
};

Played play(const State& s, Direction direction) {
  Rng rng = dice(1);
  Played played{};
  played.after =
      Game::apply(s, Seat{0}, Move{direction}, rng, CollectStages{played.stages}).value();
  return played;
}

std::vector<StageKind> kinds(const Played& played) {
  std::vector<StageKind> kinds;
  kinds.reserve(played.stages.size());
  for (const Stage& stage : played.stages) {
    kinds.push_back(stage.kind);
  }
  return kinds;
}

// R-2048-7
TEST(G2048Stages, SlideMergeSlideSpawn) {
  const Played played = play(position(R"(
      .   2   2   4
      .   .   .   .
      .   .   .   .
      .   .   .   . )"),
                             Direction::kLeft);
  ASSERT_THAT(kinds(played), ElementsAre(StageKind::kSlide, StageKind::kMerge, StageKind::kSlide,
                                         StageKind::kSpawn));
  const Stage& slide = played.stages[0];
  EXPECT_EQ(drawn(slide.cells, 4), drawn("2 2 4 . . . . . . . . . . . . ."));
  EXPECT_THAT(slide.motions,
              ElementsAre(Motion{1, 0, false}, Motion{2, 1, false}, Motion{3, 2, false}));
  const Stage& merge = played.stages[1];
  EXPECT_EQ(drawn(merge.cells, 4), drawn("4 . 4 . . . . . . . . . . . . ."));
  EXPECT_THAT(merge.motions, ElementsAre(Motion{0, 0, true}, Motion{1, 0, true}));
  EXPECT_EQ(merge.points, 4U);
  const Stage& settle = played.stages[2];
  EXPECT_EQ(drawn(settle.cells, 4), drawn("4 4 . . . . . . . . . . . . . ."));
  EXPECT_THAT(settle.motions, ElementsAre(Motion{2, 1, false}));
  const Stage& spawn = played.stages[3];
  EXPECT_EQ(spawn.cells, played.after.cells);
  EXPECT_TRUE(spawn.motions.empty());
  EXPECT_EQ(settle.cells[spawn.spawned], 0);
  EXPECT_NE(spawn.cells[spawn.spawned], 0);
}

// R-2048-7
TEST(G2048Stages, StageThatChangesNothingIsLeftOut) {
  EXPECT_THAT(kinds(play(position(". 2 . ."), Direction::kLeft)),
              ElementsAre(StageKind::kSlide, StageKind::kSpawn));
  EXPECT_THAT(kinds(play(position("2 2 . ."), Direction::kLeft)),
              ElementsAre(StageKind::kMerge, StageKind::kSpawn));
  EXPECT_THAT(kinds(play(position("2 2 4 . . . . . ."), Direction::kLeft)),
              ElementsAre(StageKind::kMerge, StageKind::kSlide, StageKind::kSpawn));
}

// R-2048-7
TEST(G2048Stages, MotionsGoLineByLineFromTheEdge) {
  const Played played = play(position(R"(
      4   .   8
      .   .   8
      .   2   8 )"),
                             Direction::kDown);
  ASSERT_THAT(kinds(played), ElementsAre(StageKind::kSlide, StageKind::kMerge, StageKind::kSlide,
                                         StageKind::kSpawn));
  EXPECT_THAT(played.stages[0].motions, ElementsAre(Motion{0, 6, false}));
  EXPECT_THAT(played.stages[1].motions, ElementsAre(Motion{8, 8, true}, Motion{5, 8, true}));
  EXPECT_THAT(played.stages[2].motions, ElementsAre(Motion{2, 5, false}));
  EXPECT_EQ(drawn(played.stages[2].cells, 3), drawn(R"(
      .   .   .
      .   .   8
      4   2  16 )"));
}

// R-2048-7
TEST(G2048Stages, OneMergeStageHoldsTheMergesOfAllLines) {
  const Played played = play(position(R"(
      2   2   4   4
      .   .   .   .
      .   .   .   .
      8   8   .   . )"),
                             Direction::kRight);
  ASSERT_THAT(kinds(played), ElementsAre(StageKind::kSlide, StageKind::kMerge, StageKind::kSlide,
                                         StageKind::kSpawn));
  EXPECT_THAT(played.stages[0].motions, ElementsAre(Motion{13, 15, false}, Motion{12, 14, false}));
  EXPECT_THAT(played.stages[1].motions,
              ElementsAre(Motion{3, 3, true}, Motion{2, 3, true}, Motion{1, 1, true},
                          Motion{0, 1, true}, Motion{15, 15, true}, Motion{14, 15, true}));
  EXPECT_EQ(played.stages[1].points, 8U + 4 + 16);
  EXPECT_THAT(played.stages[2].motions, ElementsAre(Motion{1, 2, false}));
}

/// A board after a stage, made from the board before it by its motions alone, as a client does.
Cells animated(const Cells& before, const Stage& stage) {
  Cells after = before;
  for (const Motion& motion : stage.motions) {
    after[motion.from] = 0;
  }
  for (const Motion& motion : stage.motions) {
    const Exponent tile = before[motion.from];
    after[motion.to] = static_cast<Exponent>(motion.merged ? tile + 1 : tile);
  }
  if (stage.kind == StageKind::kSpawn) {
    after[stage.spawned] = stage.cells[stage.spawned];
  }
  return after;
}

// R-2048-7
TEST(G2048Stages, MotionsAloneMakeTheNextGrid) {
  for (std::uint8_t size = kSizeMin; size <= kSizeMax; ++size) {
    Config config;
    config.size = size;
    Rng rng = dice(size);
    State s = Game::start(config, rng).value();
    for (int played = 0; played < 300 && Game::turn(s); ++played) {
      std::vector<Move> moves;
      Game::legal_moves(s, Seat{0}, [&](Move move) { moves.push_back(move); });
      const Move move = moves[rng.uniform(static_cast<std::uint32_t>(moves.size()))];
      std::vector<Stage> stages;
      const State next = Game::apply(s, Seat{0}, move, rng, CollectStages{stages}).value();
      Cells cells = s.cells;
      for (const Stage& stage : stages) {
        cells = animated(cells, stage);
        ASSERT_EQ(drawn(cells, size), drawn(stage.cells, size));
      }
      s = next;
    }
  }
}

}  // namespace
}  // namespace tesela::g2048
