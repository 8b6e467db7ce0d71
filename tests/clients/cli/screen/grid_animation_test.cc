#include "clients/cli/screen/grid_animation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

namespace tesela::cli {
namespace {

using testing::UnorderedElementsAre;
using Look = Sprite::Look;

Cells cells(std::initializer_list<std::uint32_t> contents) {
  return {contents.begin(), contents.end()};
}

GridStage stage(std::initializer_list<std::uint32_t> after) {
  return {.cells = cells(after)};
}

void move_tile(GridStage& stage, std::uint32_t from, std::uint32_t to) {
  auto& motion = *stage.motions.Add();
  motion.set_from(from);
  motion.set_to(to);
}

/// All pictures of an animation, without the one at rest.
std::vector<std::vector<Sprite>> animation_of(const Cells& before, std::uint32_t columns,
                                              const GridStage& stage) {
  GridAnimation animation;
  animation.rest(before, columns);
  animation.play({stage}, stage.cells);
  std::vector<std::vector<Sprite>> pictures;
  while (animation.next_frame()) pictures.push_back(animation.sprites());
  return pictures;
}

// A tile at the right end of the first row slides to the left.
TEST(GridAnimation, ATileTravelsBetweenItsCellsAndArrives) {
  GridStage slide = stage({1, 0, 0, 0, 0, 0, 0, 0, 2});
  move_tile(slide, 2, 0);
  const auto pictures = animation_of(cells({0, 0, 1, 0, 0, 0, 0, 0, 2}), 3, slide);
  ASSERT_GE(pictures.size(), 2U);
  double column = 2;
  for (const auto& sprites : pictures) {
    ASSERT_EQ(sprites.size(), 2U);
    EXPECT_EQ(sprites[0].row, 0);
    EXPECT_LT(sprites[0].column, column);
    EXPECT_EQ(sprites[1], (Sprite{.content = 2, .row = 2, .column = 2}));
    column = sprites[0].column;
  }
  EXPECT_EQ(column, 0);
}

TEST(GridAnimation, PartnersMeetBeforeTheMergedTileIsMarked) {
  GridStage merge = stage({2, 0, 0, 0});
  move_tile(merge, 0, 0);
  move_tile(merge, 1, 0);
  merge.merged = {0, 0};
  const auto pictures = animation_of(cells({1, 1, 0, 0}), 2, merge);
  ASSERT_GE(pictures.size(), 2U);
  EXPECT_EQ(pictures.front().size(), 2U);
  EXPECT_THAT(pictures.back(), UnorderedElementsAre(Sprite{.content = 2, .look = Look::kMerged}));
}

TEST(GridAnimation, ANewTileIsMarkedWhereItAppears) {
  GridStage spawn = stage({1, 0, 0, 2});
  spawn.fresh = {3};
  const auto pictures = animation_of(cells({1, 0, 0, 0}), 2, spawn);
  ASSERT_EQ(pictures.size(), 1U);
  EXPECT_THAT(pictures[0], UnorderedElementsAre(
                               Sprite{.content = 1},
                               Sprite{.content = 2, .row = 1, .column = 1, .look = Look::kFresh}));
}

TEST(GridAnimation, ATileThatLeavesIsSeenOnceMore) {
  GridStage remove = stage({0, 2});
  remove.leaving = {0};
  const auto pictures = animation_of(cells({1, 2}), 2, remove);
  ASSERT_EQ(pictures.size(), 2U);
  EXPECT_THAT(pictures[0], UnorderedElementsAre(Sprite{.content = 1, .look = Look::kLeaving},
                                                Sprite{.content = 2, .column = 1}));
  EXPECT_THAT(pictures[1], UnorderedElementsAre(Sprite{.content = 2, .column = 1}));
}

TEST(GridAnimation, EndsAtRestOnTheGridAfterTheLastStage) {
  GridAnimation animation;
  animation.rest(cells({1, 0}), 2);
  GridStage merge = stage({2, 0});
  merge.merged = {0};
  animation.play({merge}, cells({2, 3}));
  animation.settle();
  EXPECT_THAT(animation.sprites(),
              UnorderedElementsAre(Sprite{.content = 2}, Sprite{.content = 3, .column = 1}));
  EXPECT_FALSE(animation.next_frame());
}

TEST(GridAnimation, StagesThatDoNotFitTheBoardAreNotShown) {
  GridStage outside = stage({1, 0, 0, 0});
  move_tile(outside, 9, 0);
  EXPECT_TRUE(animation_of(cells({0, 1, 0, 0}), 2, outside).empty());
  EXPECT_TRUE(animation_of(cells({0, 1, 0}), 2, stage({1, 0, 0, 0})).empty());
  EXPECT_TRUE(animation_of(cells({}), 0, stage({1})).empty());
  GridStage marked_outside = stage({1});
  marked_outside.fresh = {1};
  EXPECT_TRUE(animation_of(cells({0}), 1, marked_outside).empty());
}

}  // namespace
}  // namespace tesela::cli
