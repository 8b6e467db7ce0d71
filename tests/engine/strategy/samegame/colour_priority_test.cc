// R-SG-6: the strategy of the SameGame project.
#include "engine/strategy/samegame/colour_priority.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/engine/samegame/position.h"
#include "tests/engine/seeds.h"

namespace tesela::samegame {
namespace samegame_colour_priority_test {

using testing::ElementsAre;

/// The cells it plays, until there is no group.
std::vector<std::uint16_t> played(State s) {
  ColourPriority strategy;
  std::vector<std::uint16_t> cells;
  Rng rng = test::dice(1);
  while (const std::optional<Move> move = strategy.choose(s)) {
    cells.push_back(move->cell);
    s = Game::apply(s, kOnlySeat, *move, rng, NoStages{}).value();
  }
  EXPECT_EQ(Game::turn(s), std::nullopt);
  return cells;
}

// R-SG-6
TEST(SameGameColourPriority, ScansFromTheTopRight) {
  EXPECT_EQ(ColourPriority{}.choose(position(R"(
      2 2 1 1
      2 2 1 1 )")),
            Move{3});
  EXPECT_EQ(ColourPriority{}.choose(position(R"(
      2 1 3 .
      2 1 1 . )")),
            Move{1})
      << "the first colour with a move, at its first cell";
}

// R-SG-6
TEST(SameGameColourPriority, FirstColourWithAMoveGoesToTheFront) {
  // Met in the order 5, 3, 4, 2, 1, and only 1 has a move: the list is 1, 5, 3, 4, 2. The first
  // move gives 3 one too, but 1 comes before it.
  EXPECT_THAT(played(position(R"(
      4 3 5 .
      2 1 2 .
      5 1 3 1
      2 4 5 1 )")),
              ElementsAre(5, 11, 10));
}

// R-SG-6
TEST(SameGameColourPriority, KeepsToAColourAsLongAsItHasAMove) {
  // The list is 2, 1: the lower 2s are played before the 1s above them.
  EXPECT_THAT(played(position(R"(
      1 1 2
      1 1 2
      2 2 1 )")),
              ElementsAre(2, 7, 4));
}

// R-SG-6
TEST(SameGameColourPriority, NoMoveWithoutAGroup) {
  EXPECT_EQ(ColourPriority{}.choose(position(R"(
      1 2
      2 1 )")),
            std::nullopt);
}

}  // namespace samegame_colour_priority_test
}  // namespace tesela::samegame
