#include "clients/cli/watch_lines.h"

#include <gtest/gtest.h>

namespace tesela::cli {
namespace {

TEST(WatchLines, ALineHoldsTheVersionTheMoveTheScoreAndTheRows) {
  game::v1::Game2048View view;
  view.set_size(2);
  for (const std::uint32_t exponent : {1U, 0U, 0U, 11U}) view.add_cells(exponent);
  view.set_score(24);
  view.set_outcome(game::v1::GAME2048_OUTCOME_IN_PLAY);
  EXPECT_EQ(line_of(7, "left", view), "version 7 left score 24 | 2 . | . 2048 | in play");
}

}  // namespace
}  // namespace tesela::cli
