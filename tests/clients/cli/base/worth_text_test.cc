#include "clients/cli/base/value_text.h"

#include <gtest/gtest.h>

#include "engine/strategy/strategy.h"

namespace tesela::cli {
namespace worth_text_test {

TEST(WorthText, ACountIsANumberWithFewerDigitsTheLargerItIs) {
  EXPECT_EQ(worth_text("points at the end", 812, 900), "812");
  EXPECT_EQ(worth_text("doublings to come", 212.46, 300), "212");
  EXPECT_EQ(worth_text("doublings to come", 12.345, 300), "12.3");
  EXPECT_EQ(worth_text("doublings to come", -1.2345, 300), "-1.234");
  EXPECT_EQ(worth_text("a measure of tomorrow", 16, 16), "16");
}

TEST(WorthText, AShareIsInPerCent) {
  EXPECT_EQ(worth_text(kShareMeasure, 0.6238, 0.7), "62.4 %");
  EXPECT_EQ(worth_text(kShareMeasure, 1, 1), "100 %");
  EXPECT_FALSE(is_relative(kShareMeasure));
}

TEST(WorthText, AWorthIsTheBestOnesPartInPerCent) {
  EXPECT_EQ(worth_text(kWorthMeasure, 1'600'000, 1'600'000), "100 %");
  EXPECT_EQ(worth_text(kWorthMeasure, 1'590'000, 1'600'000), "99.38 %");
  EXPECT_EQ(worth_text(kWorthMeasure, 0, 0), "0 %") << "every move loses";
  EXPECT_TRUE(is_relative(kWorthMeasure));
}

TEST(WorthText, WordsSayWhatItCounts) {
  EXPECT_EQ(worth_words(kShareMeasure, 0.624, 0.7, 2), "62.4 % to win");
  EXPECT_EQ(worth_words(kShareMeasure, 0.624, 0.7, 3), "62.4 % of the others left behind");
  EXPECT_EQ(worth_words(kWorthMeasure, 99, 100, 1), "99 % of the best");
  EXPECT_EQ(worth_words("points at the end", 812, 900, 1), "812 points at the end");
}

}  // namespace worth_text_test
}  // namespace tesela::cli
