// The golden playthroughs: R-2048-1..8 move by move (tests/playthroughs/README.md).
#include "tests/engine/g2048_playthrough.h"

#include <gtest/gtest.h>

#include "tests/engine/golden.h"

namespace tesela::test {
namespace {

using g2048::Config;

Config tiny() {
  Config config;
  config.size = 2;
  config.start_tiles = 1;
  return config;
}

Config stopping() {
  Config config;
  config.objective = 6;
  config.stop_at_objective = true;
  return config;
}

Config going_on() {
  Config config;
  config.size = 3;
  config.objective = 4;
  return config;
}

Config full_of_eights() {
  Config config;
  config.size = 3;
  config.start_tiles = 9;
  config.start_exponent = 3;
  return config;
}

Config many_weights() {
  Config config;
  config.size = 5;
  config.weights = {{{1, 300}, {2, 200}, {3, 150}, {4, 100}, {5, 100}, {6, 75}, {7, 50}, {30, 25}}};
  config.weight_count = 8;
  config.start_tiles = 4;
  config.objective = 31;
  return config;
}

class G2048Playthrough : public testing::TestWithParam<Playthrough> {};

TEST_P(G2048Playthrough, IsAsItWasWritten) {
  expect_golden("2048_" + GetParam().name, play_through(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Golden, G2048Playthrough,
    testing::Values(
        Playthrough{"classic", "the original game, to its end", Config::classic(), 1, 10'000},
        Playthrough{"amat", "the preset amat, its first moves", Config::amat(), 2, 60},
        Playthrough{"tiny", "the smallest board, from one tile to its end", tiny(), 3, 10'000},
        Playthrough{"stop_at_objective", "ends when a 64 stands on the board", stopping(), 4,
                    10'000},
        Playthrough{"play_goes_on", "goes on after its objective, to its end", going_on(), 5,
                    10'000},
        Playthrough{"start_value", "starts with a board full of eights", full_of_eights(), 6, 40},
        Playthrough{"many_weights", "spawns eight values, up to 2^30", many_weights(), 7, 60}),
    [](const auto& game) { return game.param.name; });

}  // namespace
}  // namespace tesela::test
