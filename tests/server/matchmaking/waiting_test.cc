#include "server/matchmaking/waiting.h"

#include <gtest/gtest.h>

#include "tests/server/matchmaking/tickets.h"

namespace tesela::matchmaking {
namespace {

TEST(WaitEstimate, NothingIsKnownBeforeTheFirstMatch) {
  EXPECT_EQ(WaitEstimate{}.mean_ms(), std::nullopt);
  EXPECT_EQ(WaitEstimate{}.left_ms(ticket(1, {25}), 0), std::nullopt);
}

TEST(WaitEstimate, EachNewMatchWeighsAnEighth) {
  WaitEstimate estimate;
  estimate.matched_after(8000);
  EXPECT_EQ(estimate.mean_ms(), 8000);
  estimate.matched_after(0);
  EXPECT_EQ(estimate.mean_ms(), 7000);
}

TEST(WaitEstimate, WhatWasLongAgoHardlyCounts) {
  WaitEstimate estimate;
  estimate.matched_after(1'000'000);
  for (int i = 0; i < 100; ++i) estimate.matched_after(5000);
  EXPECT_NEAR(static_cast<double>(*estimate.mean_ms()), 5000, 10);
}

TEST(WaitEstimate, WhatHasBeenWaitedIsNoLongerAhead) {
  WaitEstimate estimate;
  estimate.matched_after(8000);
  EXPECT_EQ(estimate.left_ms(since(1000, ticket(1, {25})), 4000), 5000);
  EXPECT_EQ(estimate.left_ms(since(1000, ticket(1, {25})), 60'000), 0);
}

TEST(WaitEstimate, NobodyWaitsLongerThanForTheBots) {
  WaitEstimate estimate;
  EXPECT_EQ(estimate.left_ms(with_bots(3000, ticket(1, {25})), 1000), 2000);
  estimate.matched_after(8000);
  EXPECT_EQ(estimate.left_ms(with_bots(3000, ticket(1, {25})), 1000), 2000);
  EXPECT_EQ(estimate.left_ms(with_bots(30'000, ticket(1, {25})), 1000), 7000);
}

}  // namespace
}  // namespace tesela::matchmaking
