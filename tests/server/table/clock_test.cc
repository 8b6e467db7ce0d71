#include "server/games/clock.h"

#include <gtest/gtest.h>

namespace tesela::tables {
namespace {

using std::chrono::milliseconds;

constexpr Seat kFirst{0};
constexpr Seat kSecond{1};

TEST(Clock, WithoutRulesNothingRunsOut) {
  games::Clock clock({}, 2);
  clock.begin_turn(1000);
  EXPECT_FALSE(clock.on());
  EXPECT_EQ(clock.spent_ms(9000), 0);
  clock.charge(kFirst, 5000, true);
  EXPECT_FALSE(clock.deadline_ms(kFirst));
  EXPECT_FALSE(clock.left_ms(kFirst));
  EXPECT_EQ(clock.timeouts(kFirst), 0);
}

TEST(Clock, AMoveHasItsTime) {
  games::Clock clock({.move = milliseconds{3000}}, 2);
  clock.begin_turn(1000);
  EXPECT_EQ(clock.deadline_ms(kFirst), 4000);
  EXPECT_EQ(clock.spent_ms(1500), 500);
  EXPECT_EQ(clock.spent_ms(900), 0) << "a clock that was set back charges nothing";
  EXPECT_FALSE(clock.left_ms(kFirst));
}

TEST(Clock, AGameHasItsTimeAndEachMoveGivesSomeBack) {
  games::Clock clock({.game = milliseconds{10'000}, .increment = milliseconds{2000}}, 2);
  clock.begin_turn(0);
  EXPECT_EQ(clock.deadline_ms(kFirst), 10'000);
  clock.charge(kFirst, 4000, false);
  EXPECT_EQ(clock.left_ms(kFirst), 8000);
  EXPECT_EQ(clock.left_ms(kSecond), 10'000);
  clock.charge(kSecond, 60'000, true);
  EXPECT_EQ(clock.left_ms(kSecond), 2000) << "never below nothing, and the increment comes on top";
}

TEST(Clock, TheNearerOfTwoLimitsCounts) {
  games::Clock clock({.move = milliseconds{3000}, .game = milliseconds{4000}}, 2);
  clock.begin_turn(100);
  EXPECT_EQ(clock.deadline_ms(kFirst), 3100);
  clock.charge(kFirst, 2500, false);
  EXPECT_EQ(clock.deadline_ms(kFirst), 1600);
}

TEST(Clock, StoppedItChargesNothingUntilTheNextTurn) {
  games::Clock clock({.move = milliseconds{3000}}, 2);
  clock.begin_turn(1000);
  clock.stop();
  EXPECT_TRUE(clock.stopped());
  EXPECT_FALSE(clock.deadline_ms(kFirst));
  EXPECT_EQ(clock.spent_ms(60'000), 0);
  clock.begin_turn(60'000);
  EXPECT_EQ(clock.deadline_ms(kFirst), 63'000);
}

TEST(Clock, TimeOutsInARowAreCountedAndAMoveForgetsThem) {
  games::Clock clock({.move = milliseconds{3000}}, 2);
  clock.charge(kFirst, 3000, true);
  clock.charge(kFirst, 3000, true);
  EXPECT_EQ(clock.timeouts(kFirst), 2);
  EXPECT_EQ(clock.timeouts(kSecond), 0);
  clock.charge(kFirst, 10, false);
  EXPECT_EQ(clock.timeouts(kFirst), 0);
  clock.charge(kFirst, 3000, true);
  clock.forgive(kFirst);
  EXPECT_EQ(clock.timeouts(kFirst), 0);
}

}  // namespace
}  // namespace tesela::tables
