// R-SG-3: what a client is told of a move.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/samegame/samegame.h"
#include "tests/engine/samegame/position.h"
#include "tests/engine/seeds.h"

namespace tesela::samegame {
namespace samegame_stages_test {

using test::dice;
using testing::ElementsAre;
using testing::IsEmpty;

struct Played {
  State after;
  std::vector<Stage> stages;
};

Played play(const State& s, std::uint16_t cell) {
  Rng rng = dice(1);
  Played played{};
  played.after = Game::apply(s, kOnlySeat, Move{cell}, rng, CollectStages{played.stages}).value();
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

std::string shown(const Played& played, std::size_t stage) {
  return "\n" + draw(played.after.setting, played.stages.at(stage).cells);
}

// R-SG-3
TEST(SameGameStages, RemoveFallCollapse) {
  const Played played = play(position(R"(
      3 1 2
      1 1 3
      2 1 2 )"),
                             1);
  ASSERT_THAT(kinds(played),
              ElementsAre(StageKind::kRemove, StageKind::kFall, StageKind::kCollapse));
  EXPECT_EQ(shown(played, 0), drawn(R"(
      3 . 2
      . . 3
      2 . 2 )"));
  EXPECT_THAT(played.stages[0].removed, ElementsAre(1, 3, 4, 7));
  EXPECT_THAT(played.stages[0].motions, IsEmpty());
  EXPECT_EQ(played.stages[0].points, 4);
  EXPECT_EQ(shown(played, 1), drawn(R"(
      . . 2
      3 . 3
      2 . 2 )"));
  EXPECT_THAT(played.stages[1].motions, ElementsAre(Motion{0, 3, false}));
  EXPECT_THAT(played.stages[1].removed, IsEmpty());
  EXPECT_EQ(shown(played, 2), drawn(R"(
      . 2 .
      3 3 .
      2 2 . )"));
  EXPECT_THAT(played.stages[2].motions,
              ElementsAre(Motion{2, 1, false}, Motion{5, 4, false}, Motion{8, 7, false}));
  EXPECT_EQ(played.stages[2].cells, colours_of(played.after.setting, played.after.board));
  EXPECT_EQ(played.stages[1].points + played.stages[2].points, 0);
}

// R-SG-3
TEST(SameGameStages, StageThatChangesNothingIsLeftOut) {
  EXPECT_THAT(kinds(play(position(R"(
      1 1 2
      2 3 3 )"),
                         0)),
              ElementsAre(StageKind::kRemove));
  EXPECT_THAT(kinds(play(position(R"(
      2 3 2
      1 1 3 )"),
                         3)),
              ElementsAre(StageKind::kRemove, StageKind::kFall));
  EXPECT_THAT(kinds(play(position(R"(
      2 1 2
      3 1 3 )"),
                         1)),
              ElementsAre(StageKind::kRemove, StageKind::kCollapse));
  EXPECT_THAT(kinds(play(position(R"(
      2 1
      3 1 )"),
                         1)),
              ElementsAre(StageKind::kRemove))
      << "nothing stood to the right";
}

// R-SG-3
TEST(SameGameStages, TilesSinkOverSeveralGapsKeepingTheirOrder) {
  const Played played = play(position(R"(
      3 2
      1 1
      2 1
      1 1
      4 1 )"),
                             7);
  ASSERT_THAT(kinds(played), ElementsAre(StageKind::kRemove, StageKind::kFall));
  EXPECT_THAT(played.stages[1].motions,
              ElementsAre(Motion{0, 4, false}, Motion{4, 6, false}, Motion{1, 9, false}));
  EXPECT_EQ(shown(played, 1), drawn(R"(
      . .
      . .
      3 .
      2 .
      4 2 )"));
}

// R-SG-3
TEST(SameGameStages, AllEmptyColumnsCloseAtOnce) {
  const Played played = play(position(R"(
      . . . 2 . . .
      3 1 1 1 1 1 4
      2 1 1 1 1 1 3 )"),
                             8);
  EXPECT_EQ(drawn(played.after), drawn(R"(
      . . . . . . .
      3 . 4 . . . .
      2 2 3 . . . . )"));
  EXPECT_THAT(played.stages.back().motions,
              ElementsAre(Motion{13, 9, false}, Motion{17, 15, false}, Motion{20, 16, false}));
}

// R-SG-3
TEST(SameGameStages, LeftmostColumnsCloseToo) {
  EXPECT_EQ(drawn(play(position(R"(
      1 1 2 .
      1 1 3 2 )"),
                       0)
                      .after),
            drawn(R"(
      2 . . .
      3 2 . . )"));
}

/// A board after a stage, made from the board before it by what the stage tells, as a client does.
std::vector<Colour> animated(const std::vector<Colour>& before, const Stage& stage) {
  std::vector<Colour> after = before;
  for (const std::uint16_t cell : stage.removed) {
    after[cell] = kEmpty;
  }
  for (const Motion& motion : stage.motions) {
    after[motion.from] = kEmpty;
  }
  for (const Motion& motion : stage.motions) {
    after[motion.to] = before[motion.from];
  }
  return after;
}

// R-SG-3
TEST(SameGameStages, WhatTheyTellAloneMakesTheNextGrid) {
  for (std::uint64_t game = 0; game < 60; ++game) {
    Rng rng = dice(game);
    Config config;
    config.setting.rows = static_cast<std::uint8_t>(2 + rng.uniform(29));
    config.setting.columns = static_cast<std::uint8_t>(2 + rng.uniform(29));
    config.setting.colours = static_cast<Colour>(2 + rng.uniform(4));
    State s = Game::start(config, rng).value();
    while (Game::turn(s)) {
      std::vector<Move> moves;
      Game::legal_moves(s, kOnlySeat, [&](Move move) { moves.push_back(move); });
      const Move move = moves[rng.uniform(static_cast<std::uint32_t>(moves.size()))];
      std::vector<Stage> stages;
      const State next = Game::apply(s, kOnlySeat, move, rng, CollectStages{stages}).value();
      std::vector<Colour> cells = colours_of(s.setting, s.board);
      for (const Stage& stage : stages) {
        cells = animated(cells, stage);
        ASSERT_EQ(cells, stage.cells) << "game " << game;
      }
      s = next;
    }
  }
}

}  // namespace samegame_stages_test
}  // namespace tesela::samegame
