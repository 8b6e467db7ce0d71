#include "clients/cli/simulate/summary.h"

#include <gtest/gtest.h>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace summary_test {

TEST(SimulationSummary, NamesTheGameTheBotsTheSeedAndTheSpeed) {
  const Seed seed = read_seed("x");
  EXPECT_EQ(summary({.game = "2048", .bots = "random", .games = 10, .seed = seed}, "figures\n",
                    std::chrono::seconds{2}),
            "2048, 10 games played by random, seed " + to_text(seed) +
                "\nfigures\ngames/s 5.0, in 2.00 s\n");
  const std::string one =
      summary({.game = "azul", .bots = "greedy, safe", .games = 1, .seed = seed}, "",
              std::chrono::seconds{1});
  EXPECT_EQ(one.find("azul, 1 game played by greedy, safe, seed "), 0U);
}

TEST(SimulationSummary, ADistributionHasMeanAndQuantilesOfNegativesToo) {
  Distribution points{"points"};
  for (const std::int64_t value : {-3, 7, -10, 0}) points.add(value);
  EXPECT_EQ(points.line(),
            "points                 -1.5        -10        -10         -3          7          7\n");
  EXPECT_EQ(points.json().dump(), R"({"mean":-1.5,"min":-10,"p10":-10,"p50":-3,"p90":7,"max":7})");
}

TEST(SimulationSummary, SharesStandInDescendingOrder) {
  Shares tiles{"largest tile"};
  tiles.add(32, "32");
  for (int time = 0; time < 3; ++time) tiles.add(2048, "2048");
  EXPECT_EQ(tiles.line(), "largest tile:  2048 75.0%  32 25.0%\n");
  EXPECT_EQ(tiles.json().dump(), R"({"2048":3,"32":1})");
}

}  // namespace summary_test
}  // namespace tesela::cli
