#include "clients/cli/load/pacing.h"

#include <gtest/gtest.h>

namespace tesela::cli {
namespace {

using Clock = Pacer::Clock;
using std::chrono::seconds;

TEST(Pacer, WithoutALimitEveryFrameGoesAtOnce) {
  Pacer pacer;
  const Clock::time_point now{seconds{5}};
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(pacer.send_at(now), now);
}

TEST(Pacer, AGreedySenderStaysBelowTheLimitInEverySecond) {
  constexpr int kLimit = 1000;
  Pacer pacer(kLimit);
  Clock::time_point now{seconds{5}};
  const auto end = now + seconds{3};
  int sent = 0;
  for (now = pacer.send_at(now); now < end; now = pacer.send_at(now)) ++sent;
  EXPECT_LE(sent, 3 * kLimit + static_cast<int>(Pacer::kBurstFrames));
  EXPECT_GT(sent, 3 * kLimit - 10);
}

TEST(Pacer, ASlowSenderIsNeverHeldUp) {
  Pacer pacer(1000);
  Clock::time_point now{seconds{5}};
  for (int i = 0; i < 1000; ++i, now += std::chrono::milliseconds{2}) {
    ASSERT_EQ(pacer.send_at(now), now);
  }
}

TEST(Pacer, APauseDoesNotSaveUpMoreThanTheBurst) {
  Pacer pacer(1000);
  const Clock::time_point now{seconds{500}};
  int at_once = 0;
  while (pacer.send_at(now) == now) ++at_once;
  EXPECT_EQ(at_once, static_cast<int>(Pacer::kBurstFrames));
}

}  // namespace
}  // namespace tesela::cli
