#include "clients/cli/screen/seat_words.h"

#include <gtest/gtest.h>

#include "tests/server/cli/screen/packed.h"

namespace tesela::cli {
namespace {

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
