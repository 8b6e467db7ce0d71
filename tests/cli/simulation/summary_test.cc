#include "clients/cli/simulation/summary.h"

#include <gtest/gtest.h>

#include "clients/cli/seed_text.h"

namespace tesela::cli {
namespace {

TEST(SimulationSummary, NamesTheGameTheSeedAndTheSpeed) {
  const Seed seed = read_seed("x");
  EXPECT_EQ(summary("2048", 10, seed, "figures\n", std::chrono::seconds{2}),
            "2048, 10 games played by random, seed " + to_text(seed) +
                "\nfigures\ngames/s 5.0, in 2.00 s\n");
  EXPECT_EQ(summary("azul", 1, seed, "", std::chrono::seconds{1}).find("azul, 1 game played"), 0U);
}

TEST(SimulationSummary, ADistributionHasMeanAndQuantilesOfNegativesToo) {
  Distribution points{"points"};
  for (const std::int64_t value : {-3, 7, -10, 0}) points.add(value);
  EXPECT_EQ(points.line(),
            "points                 -1.5        -10        -10         -3          7          7\n");
}

TEST(SimulationSummary, SharesStandInDescendingOrder) {
  Shares tiles{"largest tile"};
  tiles.add(32, "32");
  for (int time = 0; time < 3; ++time) tiles.add(2048, "2048");
  EXPECT_EQ(tiles.line(), "largest tile:  2048 75.0%  32 25.0%\n");
}

}  // namespace
}  // namespace tesela::cli
