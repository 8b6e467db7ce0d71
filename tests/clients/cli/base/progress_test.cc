#include "clients/cli/base/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <sstream>

namespace tesela::cli {
namespace progress_test {

TEST(Progress, TellsHowFarItIsAndHowLongItTakes) {
  EXPECT_EQ(progress_line(250, 1000, "games", std::chrono::seconds{1}),
            "[#####---------------]  250 of 1000 games, 3 s left");
  EXPECT_EQ(progress_line(4, 4, "games", std::chrono::seconds{1}),
            "[####################]  4 of 4 games, 0 s left");
}

TEST(Progress, DrawsNowAndThenAndWipesItsLineAway) {
  std::ostringstream out;
  const auto start = Progress::Clock::now();
  {
    Progress progress{out, true, 1000, "games"};
    progress.advance(start);
    EXPECT_EQ(out.str(), "") << "too early";
    const auto later = start + std::chrono::hours{1};
    progress.advance(later);
    EXPECT_THAT(out.str(), testing::HasSubstr("2 of 1000 games"));
    progress.advance(later + std::chrono::milliseconds{99});
    EXPECT_THAT(out.str(), testing::Not(testing::HasSubstr("3 of 1000 games")));
    progress.advance(later + std::chrono::milliseconds{100});
    EXPECT_THAT(out.str(), testing::HasSubstr("4 of 1000 games"));
  }
  EXPECT_THAT(out.str(), testing::EndsWith("\r\x1b[K"));
}

TEST(Progress, DrawsNothingWhenItIsNotShown) {
  std::ostringstream out;
  {
    Progress progress{out, false, 2, "games"};
    progress.advance(Progress::Clock::now() + std::chrono::hours{1});
  }
  EXPECT_EQ(out.str(), "");
}

}  // namespace progress_test
}  // namespace tesela::cli
