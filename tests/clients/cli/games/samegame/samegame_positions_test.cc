#include "clients/cli/games/samegame/samegame_solver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace tesela::cli {
namespace samegame_positions_test {

using testing::ElementsAre;

Expected<std::vector<samegame::Config>> read(const std::string& text) {
  std::istringstream in{text};
  return read_samegame_positions(in);
}

TEST(SameGamePositions, RowsOfColoursFromNought) {
  const auto positions =
      read("# two of them\n0 1\n1 0 # this too\n\n2 2 0\n2 0 0\n8 8 8\n").value();
  ASSERT_EQ(positions.size(), 2U);
  EXPECT_THAT(positions[0].cells, ElementsAre(1, 2, 2, 1));
  EXPECT_EQ(positions[0].setting.rows, 2);
  EXPECT_EQ(positions[0].setting.colours, 5) << "as usual";
  EXPECT_EQ(positions[0].setting.penalty, samegame::Penalty::kPerColour);
  EXPECT_EQ(positions[1].setting.columns, 3);
  EXPECT_EQ(positions[1].setting.colours, 9);
}

TEST(SameGamePositions, WhatIsWrongIsSaidWithItsLine) {
  const auto refusal = [](const std::string& text) {
    const auto positions = read(text);
    return positions ? std::string{"no refusal"} : positions.error().message;
  };
  EXPECT_EQ(refusal("0 1\n1 x\n"), "Line 2 holds 'x', which is no colour from 0 to 8.");
  EXPECT_EQ(refusal("0 9\n1 1\n"), "Line 1 holds '9', which is no colour from 0 to 8.");
  EXPECT_EQ(refusal("0 1 2\n1 1\n"), "Line 2 has 2 colours, not 3 as the rows above it.");
  EXPECT_EQ(refusal("0\n"), "Line 1 has 1 colours; a position has 2 to 30 columns.");
  EXPECT_EQ(refusal("0 1 2\n0 1 2\n"),
            "Line 2 is the last, but a position has as many rows as columns.");
  EXPECT_EQ(refusal("# nothing\n"), "There is no position in it.");
}

}  // namespace samegame_positions_test
}  // namespace tesela::cli
