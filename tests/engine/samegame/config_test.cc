// What a table of SameGame may be told (R-SG-1, R-SG-5).
#include "engine/samegame/config.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/samegame/samegame.h"
#include "tests/engine/samegame/position.h"
#include "tests/engine/seeds.h"

namespace tesela::samegame {
namespace samegame_config_test {

std::string refusal(const Config& config) {
  const Expected<void> valid = validate(config);
  if (valid) {
    return "accepted";
  }
  EXPECT_EQ(valid.error().code, ErrorCode::kInvalidArgument);
  Rng rng = test::dice(1);
  EXPECT_EQ(Game::start(config, rng).error(), valid.error());
  EXPECT_EQ(SmallGame::start(config, rng).error(), valid.error());
  EXPECT_EQ(rng.consumed(), 0U);
  return valid.error().message;
}

Config sized(int rows, int columns, int colours) {
  return {.setting = {.rows = static_cast<std::uint8_t>(rows),
                      .columns = static_cast<std::uint8_t>(columns),
                      .colours = static_cast<Colour>(colours)}};
}

Config given(std::string_view text, int colours = 5) {
  const Drawing drawing = read_drawing(text, {.colours = static_cast<Colour>(colours)});
  return {.setting = drawing.setting, .cells = drawing.cells};
}

// R-SG-1
TEST(SameGameConfig, TheUsualGameIsFifteenByFifteenWithFiveColours) {
  const Config usual;
  EXPECT_EQ(refusal(usual), "accepted");
  EXPECT_EQ(usual.setting,
            (Setting{.rows = 15, .columns = 15, .colours = 5, .penalty = Penalty::kPerColour}));
}

// R-SG-1
TEST(SameGameConfig, TwoToThirtyRows) {
  EXPECT_EQ(refusal(sized(2, 15, 5)), "accepted");
  EXPECT_EQ(refusal(sized(30, 15, 5)), "accepted");
  EXPECT_EQ(refusal(sized(1, 15, 5)), "A board has 2 to 30 rows, not 1.");
  EXPECT_EQ(refusal(sized(31, 15, 5)), "A board has 2 to 30 rows, not 31.");
}

// R-SG-1
TEST(SameGameConfig, TwoToThirtyColumns) {
  EXPECT_EQ(refusal(sized(15, 2, 5)), "accepted");
  EXPECT_EQ(refusal(sized(15, 30, 5)), "accepted");
  EXPECT_EQ(refusal(sized(15, 1, 5)), "A board has 2 to 30 columns, not 1.");
  EXPECT_EQ(refusal(sized(15, 31, 5)), "A board has 2 to 30 columns, not 31.");
}

// R-SG-1
TEST(SameGameConfig, TwoToNineColours) {
  EXPECT_EQ(refusal(sized(15, 15, 2)), "accepted");
  EXPECT_EQ(refusal(sized(15, 15, 9)), "accepted");
  EXPECT_EQ(refusal(sized(15, 15, 1)), "A board has 2 to 9 colours, not 1.");
  EXPECT_EQ(refusal(sized(15, 15, 10)), "A board has 2 to 9 colours, not 10.");
}

// R-SG-5
TEST(SameGameConfig, ThreePenalties) {
  Config config;
  for (const Penalty penalty : {Penalty::kPerColour, Penalty::kRemaining, Penalty::kNone}) {
    config.setting.penalty = penalty;
    EXPECT_EQ(refusal(config), "accepted");
  }
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): what a broken caller may pass
  config.setting.penalty = static_cast<Penalty>(3);
  EXPECT_EQ(refusal(config), "The penalty is per colour, for all that remain, or none.");
}

// R-SG-1
TEST(SameGameConfig, GivenBoardHasEveryCell) {
  Config config = given(R"(
      1 2
      2 1 )");
  EXPECT_EQ(refusal(config), "accepted");
  config.cells.pop_back();
  EXPECT_EQ(refusal(config), "A given board of 2 rows and 2 columns has 4 cells, not 3.");
  config.cells.resize(5);
  EXPECT_EQ(refusal(config), "A given board of 2 rows and 2 columns has 4 cells, not 5.");
}

// R-SG-1
TEST(SameGameConfig, GivenBoardHasTheColoursOfTheTable) {
  constexpr std::string_view kBoard = R"(
      1 2
      4 3 )";
  EXPECT_EQ(refusal(given(kBoard, 4)), "accepted");
  EXPECT_EQ(refusal(given(kBoard, 3)), "A cell holds 0 (empty) or a colour from 1 to 3, not 4.");
}

// R-SG-1
TEST(SameGameConfig, GivenBoardHoldsATile) {
  EXPECT_EQ(refusal(given(R"(
      . .
      1 . )")),
            "accepted");
  EXPECT_EQ(refusal(given(R"(
      . .
      . . )")),
            "A given board needs at least one tile.");
}

// R-SG-1
TEST(SameGameConfig, TilesOfAGivenBoardHaveFallen) {
  EXPECT_EQ(refusal(given(R"(
      1 2 .
      1 . 3
      1 1 3 )")),
            "The tile in row 0, column 1 hangs in the air; the cell below it must hold a tile "
            "too.");
}

// R-SG-1
TEST(SameGameConfig, ColumnsOfAGivenBoardHaveCollapsed) {
  EXPECT_EQ(refusal(given(R"(
      1 2 . .
      1 2 . .
      1 1 . 3 )")),
            "Column 2 is empty, but the column to its right is not; the tiles must stand at the "
            "left.");
  EXPECT_EQ(refusal(given(R"(
      . 1
      . 1 )")),
            "Column 0 is empty, but the column to its right is not; the tiles must stand at the "
            "left.");
}

// R-SG-1
TEST(SameGameConfig, SmallBoardsHaveLessRoom) {
  Rng rng = test::dice(1);
  EXPECT_TRUE(SmallGame::start(sized(15, 16, 7), rng).has_value());
  const Rng before = rng;
  for (const Config& config : {sized(16, 15, 5), sized(15, 17, 5), sized(15, 15, 8)}) {
    EXPECT_EQ(SmallGame::start(config, rng).error(),
              (Error{ErrorCode::kInvalidArgument,
                     "A small board has at most 15 rows, 16 columns and 7 colours."}));
  }
  EXPECT_EQ(rng, before);
}

}  // namespace samegame_config_test
}  // namespace tesela::samegame
