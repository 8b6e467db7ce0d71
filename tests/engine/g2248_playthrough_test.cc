// The golden playthroughs: R-2248-1..8, 12 move by move (tests/playthroughs/README.md).
#include "tests/engine/g2248_playthrough.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tesela::g2248 {
namespace {

class G2248Playthrough : public testing::TestWithParam<Playthrough> {};

TEST_P(G2248Playthrough, IsAsItWasWritten) {
  const std::string path = "tests/playthroughs/2248_" + GetParam().name + ".txt";
  const std::string played = play_through(GetParam());
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  if (std::getenv("TESELA_REWRITE_PLAYTHROUGHS") != nullptr) {
    std::ofstream{path} << played;
    GTEST_SKIP() << "wrote " << path;
  }
  std::ostringstream golden;
  golden << std::ifstream{path}.rdbuf();
  EXPECT_EQ(played, golden.str()) << "tests/playthroughs/README.md says how to rewrite " << path;
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
