// R-2248-1: which boards and goals are played.
#include <gtest/gtest.h>

#include <string>

#include "engine/g2248/config.h"
#include "engine/g2248/g2248.h"
#include "tests/engine/g2248/position.h"
#include "tests/engine/seeds.h"

namespace tesela::g2248 {
namespace g2248_config_test {

std::string refusal(const Config& config) {
  Rng rng = test::dice(1);
  const Expected<State> start = Game::start(config, rng);
  EXPECT_EQ(start.has_value(), validate(config).has_value());
  if (start) {
    return "";
  }
  EXPECT_EQ(start.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(rng.consumed(), 0U);
  return start.error().message;
}

// R-2248-1
TEST(G2248Config, DefaultIsTheOriginalGame) {
  EXPECT_EQ(Config{}, (Config{.rows = 8, .columns = 5, .goal = 2248}));
  Rng rng = test::dice(1);
  const State s = Game::start(Config{}, rng).value();
  EXPECT_EQ(s.board.rows, 8);
  EXPECT_EQ(s.board.columns, 5);
  EXPECT_EQ(s.goal, 2248U);
}

// R-2248-1
TEST(G2248Config, BoardsFrom3x3To12x10) {
  for (const auto& [rows, columns] : {std::pair{3, 3}, {3, 10}, {12, 3}, {12, 10}}) {
    EXPECT_EQ(refusal({.rows = static_cast<std::uint8_t>(rows),
                       .columns = static_cast<std::uint8_t>(columns)}),
              "");
  }
  EXPECT_EQ(refusal({.rows = 2}), "A board has 3 to 12 rows, not 2.");
  EXPECT_EQ(refusal({.rows = 13}), "A board has 3 to 12 rows, not 13.");
  EXPECT_EQ(refusal({.columns = 2}), "A board has 3 to 10 columns, not 2.");
  EXPECT_EQ(refusal({.columns = 11}), "A board has 3 to 10 columns, not 11.");
}

// R-2248-6
TEST(G2248Config, GoalsFrom1To2ToThe60) {
  EXPECT_EQ(refusal({.goal = 1}), "");
  EXPECT_EQ(refusal({.goal = kGoalMax}), "");
  EXPECT_EQ(refusal({.goal = 0}), "The goal is a score from 1 to 2^60, not 0.");
  EXPECT_EQ(refusal({.goal = kGoalMax + 1}),
            "The goal is a score from 1 to 2^60, not 1152921504606846977.");
}

// R-2248-1
TEST(G2248Board, IsSmall) {
  EXPECT_LE(sizeof(SmallBoard), 64U);
  EXPECT_GE(kSmallCellsMax, std::size_t{8} * 5);
  EXPECT_TRUE(std::is_trivially_copyable_v<State>);
}

// R-2248-1
TEST(G2248Board, CellsHaveEightNeighboursButAtTheEdges) {
  const auto neighbours = [](Cell cell) {
    std::vector<Cell> all;
    for_each_neighbour(3, 4, cell, [&](std::size_t, Cell neighbour) {
      EXPECT_TRUE(are_neighbours(4, cell, neighbour));
      all.push_back(neighbour);
    });
    return all;
  };
  EXPECT_EQ(neighbours(5), (std::vector<Cell>{0, 1, 2, 4, 6, 8, 9, 10}));
  EXPECT_EQ(neighbours(3), (std::vector<Cell>{2, 6, 7}));
  EXPECT_EQ(neighbours(8), (std::vector<Cell>{4, 5, 9}));
  EXPECT_FALSE(are_neighbours(4, 3, 4)) << "the end of a row does not touch the next row's start";
  EXPECT_FALSE(are_neighbours(4, 5, 5));
  EXPECT_FALSE(are_neighbours(4, 5, 7));
}

}  // namespace g2248_config_test
}  // namespace tesela::g2248
