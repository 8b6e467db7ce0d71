#include "clients/cli/g2048_animation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

namespace tesela::cli {
namespace {

using testing::UnorderedElementsAre;

Cells cells(std::initializer_list<std::uint32_t> exponents) {
  return {exponents.begin(), exponents.end()};
}

game::v1::Game2048Stage stage(const Cells& after) {
  game::v1::Game2048Stage stage;
  *stage.mutable_cells() = after;
  return stage;
}

void move_tile(game::v1::Game2048Stage& stage, std::uint32_t from, std::uint32_t to, bool merged) {
  auto& motion = *stage.add_motions();
  motion.set_from(from);
  motion.set_to(to);
  motion.set_merged(merged);
}

// A 2 at the right end of the first row slides to the left.
TEST(G2048Animation, ATileTravelsBetweenItsCellsAndArrives) {
  Stages stages;
  *stages.Add() = stage(cells({1, 0, 0, 0, 0, 0, 0, 0, 2}));
  move_tile(stages[0], 2, 0, false);
  const auto frames = animate(cells({0, 0, 1, 0, 0, 0, 0, 0, 2}), stages, 3);
  ASSERT_GE(frames.size(), 2U);
  double column = 2;
  for (const auto& frame : frames) {
    ASSERT_EQ(frame.sprites.size(), 2U);
    EXPECT_EQ(frame.sprites[0].row, 0);
    EXPECT_LT(frame.sprites[0].column, column);
    EXPECT_EQ(frame.sprites[1], (Sprite{.exponent = 2, .row = 2, .column = 2}));
    column = frame.sprites[0].column;
  }
  EXPECT_EQ(column, 0);
}

// Two 2s in the first row become a 4 in the first cell.
TEST(G2048Animation, PartnersMeetBeforeTheMergedTileIsMarked) {
  Stages stages;
  *stages.Add() = stage(cells({2, 0, 0, 0}));
  move_tile(stages[0], 0, 0, true);
  move_tile(stages[0], 1, 0, true);
  const auto frames = animate(cells({1, 1, 0, 0}), stages, 2);
  ASSERT_GE(frames.size(), 2U);
  EXPECT_EQ(frames.front().sprites.size(), 2U);
  EXPECT_THAT(frames.back().sprites,
              UnorderedElementsAre(Sprite{.exponent = 2, .look = Sprite::Look::kMerged}));
}

TEST(G2048Animation, ANewTileIsMarkedWhereItAppears) {
  Stages stages;
  *stages.Add() = stage(cells({1, 0, 0, 2}));
  stages[0].set_spawned(3);
  const auto frames = animate(cells({1, 0, 0, 0}), stages, 2);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_THAT(frames[0].sprites,
              UnorderedElementsAre(
                  Sprite{.exponent = 1},
                  Sprite{.exponent = 2, .row = 1, .column = 1, .look = Sprite::Look::kFresh}));
}

TEST(G2048Animation, StagesThatDoNotFitTheBoardAreNotShown) {
  Stages stages;
  *stages.Add() = stage(cells({1, 0, 0, 0}));
  move_tile(stages[0], 9, 0, false);
  EXPECT_TRUE(animate(cells({0, 1, 0, 0}), stages, 2).empty());
  EXPECT_TRUE(animate(cells({0, 1, 0}), stages, 2).empty());
  EXPECT_TRUE(animate(cells({}), stages, 0).empty());
}

}  // namespace
}  // namespace tesela::cli
