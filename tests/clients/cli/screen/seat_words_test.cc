#include <gtest/gtest.h>

#include "clients/cli/screen/power_tile.h"
#include "clients/cli/screen/seat_words.h"
#include "tests/clients/cli/screen/packed.h"

namespace tesela::cli {
namespace {

TEST(TileText, ShowsTheValueWhereItFits) {
  EXPECT_EQ(tile_text(0, 6), "");
  EXPECT_EQ(tile_text(1, 6), "2");
  EXPECT_EQ(tile_text(11, 6), "2048");
  EXPECT_EQ(tile_text(19, 6), "524288");
}

TEST(TileText, ShortensWhatDoesNotFit) {
  EXPECT_EQ(tile_text(20, 6), "1M");
  EXPECT_EQ(tile_text(29, 6), "512M");
  EXPECT_EQ(tile_text(31, 6), "2G");
  EXPECT_EQ(tile_text(17, 5), "128K");
}

const std::vector<std::string> kNames{"Ann", "Bob"};

TEST(ResultWords, WhoWinsIsToldWithThePoints) {
  EXPECT_EQ(winner_words(result_of({{20, 2}, {35, 1}}), kNames), "Bob wins, 20 : 35.");
  EXPECT_EQ(winner_words(result_of({{20, 1}, {20, 1}}), kNames),
            "Ann and Bob share the first place, 20 : 20.");
  EXPECT_EQ(winner_words(result_of({{1, 3}, {2, 2}, {3, 1}}), kNames), "player 3 wins, 1 : 2 : 3.");
}

TEST(ResultWords, WhoHasResignedIsNamed) {
  play::v1::Result result = result_of({{20, 2}, {3, 1}});
  EXPECT_FALSE(has_resigned(result));
  EXPECT_EQ(unless_resigned(result, "over"), "over");
  result.mutable_standings(0)->set_resigned(true);
  EXPECT_TRUE(has_resigned(result));
  EXPECT_EQ(resigned_words(result, kNames), "Ann has resigned. Bob wins, 20 : 3.");
  EXPECT_EQ(unless_resigned(result, "in play"), "resigned");
  EXPECT_EQ(unless_resigned(std::nullopt, "in play"), "in play");
}

TEST(ResultWords, AtATableOfOneThereIsNoWinner) {
  play::v1::Result result = result_of({{120, 1}});
  result.mutable_standings(0)->set_resigned(true);
  EXPECT_EQ(resigned_words(result, kNames), "Ann has resigned, with 120 points.");
}

}  // namespace
}  // namespace tesela::cli
