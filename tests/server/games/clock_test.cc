#include "server/games/clock.h"

#include <gtest/gtest.h>
#include <tesela/play/v1/play.pb.h>

namespace tesela::tables {
namespace {

using std::chrono::milliseconds;

constexpr Seat kFirst{0};
constexpr Seat kSecond{1};

constexpr base::Moment at(std::int64_t ms) {
  return base::Moment::logged(ms);
}

TEST(Clock, WithoutRulesNothingRunsOut) {
  games::Clock clock({}, 2);
  clock.begin_turn(at(1000));
  EXPECT_FALSE(clock.on());
  EXPECT_EQ(clock.spent_ms(at(9000)), 0);
  clock.charge(kFirst, 5000, games::Mover::kTimeOver);
  EXPECT_FALSE(clock.turn_left_ms(kFirst, at(0)));
  EXPECT_FALSE(clock.left_ms(kFirst));
  EXPECT_EQ(clock.timeouts(kFirst), 0);
}

TEST(Clock, AMoveHasItsTime) {
  games::Clock clock({.move = milliseconds{3000}}, 2);
  clock.begin_turn(at(1000));
  EXPECT_EQ(clock.turn_left_ms(kFirst, at(0)), 4000);
  EXPECT_EQ(clock.spent_ms(at(1500)), 500);
  EXPECT_FALSE(clock.left_ms(kFirst));
}

TEST(Clock, TheWallClockMayBeSet) {
  games::Clock clock({.move = milliseconds{3000}}, 2);
  clock.begin_turn({.unix_ms = 1'000'000, .steady_ms = 100});
  for (const std::int64_t set_by_ms : {-3'600'000, 0, 30'000, 600'000}) {
    const base::Moment now{.unix_ms = 1'002'000 + set_by_ms, .steady_ms = 2100};
    EXPECT_EQ(clock.spent_ms(now), 2000);
    EXPECT_EQ(clock.turn_left_ms(kFirst, now), 1000);
    play::v1::Clocks shown;
    write(clock, now, kFirst, shown);
    EXPECT_EQ(shown.deadline_ms() - shown.now_ms(), 1000);
  }
}

TEST(Clock, AGameHasItsTimeAndEachMoveGivesSomeBack) {
  games::Clock clock({.game = milliseconds{10'000}, .increment = milliseconds{2000}}, 2);
  clock.begin_turn(at(0));
  EXPECT_EQ(clock.turn_left_ms(kFirst, at(0)), 10'000);
  clock.charge(kFirst, 4000, games::Mover::kPlayer);
  EXPECT_EQ(clock.left_ms(kFirst), 8000);
  EXPECT_EQ(clock.left_ms(kSecond), 10'000);
  clock.charge(kSecond, 60'000, games::Mover::kTimeOver);
  EXPECT_EQ(clock.left_ms(kSecond), 2000) << "never below nothing, and the increment comes on top";
}

TEST(Clock, TheNearerOfTwoLimitsCounts) {
  games::Clock clock({.move = milliseconds{3000}, .game = milliseconds{4000}}, 2);
  clock.begin_turn(at(100));
  EXPECT_EQ(clock.turn_left_ms(kFirst, at(0)), 3100);
  clock.charge(kFirst, 2500, games::Mover::kPlayer);
  EXPECT_EQ(clock.turn_left_ms(kFirst, at(0)), 1600);
}

TEST(Clock, StoppedItChargesNothingUntilTheNextTurn) {
  games::Clock clock({.move = milliseconds{3000}}, 2);
  clock.begin_turn(at(1000));
  clock.stop();
  EXPECT_TRUE(clock.stopped());
  EXPECT_FALSE(clock.turn_left_ms(kFirst, at(0)));
  EXPECT_EQ(clock.spent_ms(at(60'000)), 0);
  clock.begin_turn(at(60'000));
  EXPECT_EQ(clock.turn_left_ms(kFirst, at(0)), 63'000);
}

TEST(Clock, TimeOutsInARowAreCountedAndAMoveForgetsThem) {
  games::Clock clock({.move = milliseconds{3000}}, 2);
  clock.charge(kFirst, 3000, games::Mover::kTimeOver);
  clock.charge(kFirst, 3000, games::Mover::kTimeOver);
  EXPECT_EQ(clock.timeouts(kFirst), 2);
  EXPECT_EQ(clock.timeouts(kSecond), 0);
  clock.charge(kFirst, 10, games::Mover::kStrategy);
  EXPECT_EQ(clock.timeouts(kFirst), 2) << "the player has not moved";
  clock.charge(kFirst, 10, games::Mover::kPlayer);
  EXPECT_EQ(clock.timeouts(kFirst), 0);
  clock.charge(kFirst, 3000, games::Mover::kTimeOver);
  clock.forgive(kFirst);
  EXPECT_EQ(clock.timeouts(kFirst), 0);
}

}  // namespace
}  // namespace tesela::tables
