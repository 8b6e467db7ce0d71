// Tables that wait for players for a while, and then begin with bots.
#include <chrono>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

using store::TableState;
using namespace std::chrono_literals;

class TableStartTest : public AzulTableTest {
 protected:
  /// Azul for two, with Ana on the first seat.
  void make_waiting(std::chrono::milliseconds bots_after, std::uint32_t level = 0) {
    lobby::v1::TableOptions options;
    options.set_bots_after_ms(static_cast<std::uint32_t>(bots_after.count()));
    options.set_bot_level(level);
    options.set_bot_pace_ms(60'000);  // they shall not play here
    make_azul(2, options);
  }
  void run_until_in_play() {
    wait_until([this] { return row().state == TableState::kInPlay; });
  }
};

TEST_F(TableStartTest, BotsOfTheLevelComeWhenTheTimeIsOver) {
  const auto made_ms = base::unix_ms();
  make_waiting(200ms, 3);
  auto ana = sit_down();
  EXPECT_TRUE(ana->read().welcome().seating().waiting());
  EXPECT_EQ(row().state, TableState::kOpen);
  run_until_in_play();
  EXPECT_GE(base::unix_ms() - made_ms, 200);
  const auto seating = ana->read_seating();
  EXPECT_FALSE(seating.waiting());
  ASSERT_EQ(seating.seats_size(), 2);
  EXPECT_TRUE(seating.seats(1).bot());
  EXPECT_EQ(bots::find_strategy("azul", seating.seats(1).strategy())->description.level, 3);
  EXPECT_EQ(ana->read().snapshot().version(), 1);
}

TEST_F(TableStartTest, ATableWhosePlayersCameInTimeTakesNoBot) {
  make_waiting(20ms);
  ASSERT_TRUE(take(kBob));
  io.at(0).run_for(50ms);
  io.at(0).restart();
  ASSERT_EQ(row().seats.size(), 2);
  EXPECT_EQ(row().seats[1].player, kBob);
}

TEST_F(TableStartTest, ABotComesThoughNobodyIsThereAndTheTableIsIdle) {
  make_waiting(0ms);
  run_until_in_play();
  EXPECT_TRUE(bots::is_bot("azul", row().seats[1]));
}

TEST_F(TableStartTest, AStoreThatCannotBeWrittenIsAskedAgain) {
  make_waiting(200ms);
  store.set_writable(false);
  io.at(0).run_for(250ms);
  io.at(0).restart();
  EXPECT_EQ(row().state, TableState::kOpen);
  store.set_writable(true);
  run_until_in_play();
}

TEST_F(TableStartTest, AfterARestartTheTimeGoesOn) {
  make_waiting(500ms);
  const auto table = finish(directory.open(id)).value();
  table->close({});
  settle();
  EXPECT_EQ(row().state, TableState::kOpen);
  finish(directory.resume());
  run_until_in_play();
}

TEST_F(TableStartTest, WhoPromisesAContributionAndSendsNoneIsWaitedForSoLong) {
  make_waiting(60'000ms);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(finish(directory.apply(
      id, TakeSeat{.player = kBob, .name = "Bob", .seat = {}, .contribute_later = true})));
  auto ana = sit_down();
  EXPECT_TRUE(ana->read().welcome().seating().waiting());
  run_until_in_play();
  EXPECT_GE(std::chrono::steady_clock::now() - begin, limits::kContributionTimeMax);
  EXPECT_EQ(row().seats[1].contribution_state, games::ContributionState::kWithheld);
  const auto seating = ana->read_seating();
  EXPECT_FALSE(seating.waiting());
  EXPECT_EQ(seating.seats(1).contribution(), pb::CONTRIBUTION_STATE_WITHHELD);
  EXPECT_EQ(ana->read().snapshot().version(), 1);
}

TEST_F(TableStartTest, AfterARestartContributionsAreStillAwaited) {
  make_waiting(60'000ms);
  ASSERT_TRUE(finish(directory.apply(
      id, TakeSeat{.player = kBob, .name = "Bob", .seat = {}, .contribute_later = true})));
  finish(directory.open(id)).value()->close({});
  settle();
  finish(directory.resume());
  EXPECT_EQ(row().state, TableState::kOpen);
  ASSERT_TRUE(finish(directory.apply(id, AddToDice{.player = kBob, .bytes = "x"})));
  EXPECT_EQ(row().state, TableState::kInPlay);
  EXPECT_EQ(row().seats[1].contribution, "x");
}

}  // namespace
}  // namespace tesela::tables
