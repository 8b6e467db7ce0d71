#include "clients/cli/client/back_off.h"

#include <gtest/gtest.h>

#include <set>

namespace tesela::cli {
namespace {

using std::chrono::milliseconds;

TEST(BackOff, EachWaitIsBetweenHalfAndAllOfTwiceTheOneBefore) {
  BackOff back_off(milliseconds{100}, milliseconds{1000}, 1);
  for (const int longest : {100, 200, 400, 800, 1000, 1000}) {
    const auto wait = back_off.next();
    EXPECT_GE(wait, milliseconds{longest / 2});
    EXPECT_LE(wait, milliseconds{longest});
  }
}

TEST(BackOff, AfterSuccessTheFirstWaitIsShortAgain) {
  BackOff back_off(milliseconds{100}, milliseconds{60'000}, 1);
  for (int i = 0; i < 8; ++i) (void)back_off.next();
  back_off.reset();
  EXPECT_LE(back_off.next(), milliseconds{100});
}

TEST(BackOff, ClientsThatLostTheSameServerDoNotComeBackTogether) {
  std::set<milliseconds> waits;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    waits.insert(BackOff(milliseconds{1000}, milliseconds{1000}, seed).next());
  }
  EXPECT_GT(waits.size(), 80U);
}

}  // namespace
}  // namespace tesela::cli
