// The golden playthroughs: R-2248-1..8, 12 move by move (tests/playthroughs/README.md).
#include "tests/engine/g2248_playthrough.h"

#include <gtest/gtest.h>

#include "tests/engine/golden.h"

namespace tesela::g2248 {
namespace {

class G2248Playthrough : public testing::TestWithParam<Playthrough> {};

TEST_P(G2248Playthrough, IsAsItWasWritten) {
  test::expect_golden("2248_" + GetParam().name, play_through(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Golden, G2248Playthrough,
    testing::Values(Playthrough{"usual", "the original game, its first moves", Config{}, 1, 60},
                    Playthrough{"small", "the smallest board, to its end",
                                Config{.rows = 3, .columns = 3, .goal = 100}, 2, 10'000},
                    Playthrough{"large", "the largest board, its first moves",
                                Config{.rows = 12, .columns = 10, .goal = 1}, 3, 16}),
    [](const auto& game) { return game.param.name; });

}  // namespace
}  // namespace tesela::g2248
