// Clocks, autoplay and presence at a table of two.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "server/base/clock.h"
#include "server/codec/record.h"
#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

using testing::HasSubstr;

// A deadline is the sum of readings of two clocks, each in whole milliseconds.
constexpr std::int64_t kRounding = 1;

class TableClockTest : public AzulTableTest {
 protected:
  TableClockTest() { make_azul(2); }

  /// Ana and Bob play, with a second for a move.
  void make_timed(std::uint32_t timeouts_max = 100, std::uint32_t move_ms = 1000,
                  std::uint32_t bot_pace_ms = 0) {
    lobby::v1::TableOptions options;
    options.set_bot_pace_ms(bot_pace_ms);
    options.mutable_clock()->set_move_ms(move_ms);
    options.set_timeouts_max(timeouts_max);
    make_azul(2, options);
    ASSERT_TRUE(take(kBob));
    const auto watcher = watch();
    seat = static_cast<std::uint8_t>(
        next(*watcher, &pb::ServerFrame::has_snapshot).snapshot().turn().seats(0));
    first = seat == 0 ? kPlayer : kBob;
    second = seat == 0 ? kBob : kPlayer;
  }

  codec::Moved last_move() {
    const auto log = finish(store.read(id, Version{1}, 1000)).value();
    return std::get<codec::Moved>(codec::decode_record(log.back().record).value().event);
  }
  [[nodiscard]] std::string strategy() { return row().seats[seat].strategy; }
  std::size_t versions() { return finish(store.read(id, Version{1}, 1000)).value().size(); }

  // The first seat is random.
  std::uint8_t seat = 0;
  PlayerId first;
  PlayerId second;
};

TEST_F(TableClockTest, TheTimeOfTheFirstMoveRunsOnceItsPlayerIsThere) {
  make_timed();
  const auto two = come(second);
  EXPECT_FALSE(next(*two, &pb::ServerFrame::has_snapshot).snapshot().clocks().has_deadline_ms())
      << "it waits for who begins";
  const auto one = come(first);
  const auto clocks = next(*one, &pb::ServerFrame::has_snapshot).snapshot().clocks();
  ASSERT_TRUE(clocks.has_deadline_ms());
  EXPECT_NEAR(static_cast<double>(clocks.deadline_ms() - clocks.now_ms()), 1000, 50);
  EXPECT_TRUE(next(*two, &pb::ServerFrame::has_clocks).clocks().has_deadline_ms());
}

TEST_F(TableClockTest, WhenTheTimeIsOverAutoplayMovesAndTheLogSaysSo) {
  make_timed();
  const auto one = come(first);
  const auto two = come(second);
  wait_until([&] { return versions() == 2; });
  const auto moved = last_move();
  EXPECT_EQ(moved.seat, Seat{seat});
  EXPECT_EQ(moved.strategy, "safe");
  EXPECT_TRUE(moved.timed_out);
  EXPECT_GE(moved.spent_ms, 1000);
  const auto event = next(*one, &pb::ServerFrame::has_event).event();
  EXPECT_TRUE(event.timed_out());
  EXPECT_EQ(event.strategy(), "safe");
  EXPECT_EQ(event.clocks().deadline_ms(), event.at_ms() + 1000) << "of the other's";
  EXPECT_TRUE(strategy().empty()) << "the player plays on";
}

TEST_F(TableClockTest, WhatTheStoreTakesIsNotTheNextPlayersTime) {
  constexpr std::chrono::milliseconds kDelay{600};
  constexpr std::int64_t kMoveMs = 30'000;
  make_timed(100, kMoveMs);
  const auto one = come(first);
  const auto two = come(second);
  const auto view = azul_view_of(next(*one, &pb::ServerFrame::has_snapshot));
  store.delay_appends(kDelay);
  send(*one, first_move(view, "m1"));
  const auto event = next(*two, &pb::ServerFrame::has_event).event();
  const auto clocks = next(*two, &pb::ServerFrame::has_clocks).clocks();
  EXPECT_GE(clocks.deadline_ms() + kRounding, event.at_ms() + kDelay.count() + kMoveMs);
  store.delay_appends({});
  game::v1::AzulEvent played;
  ASSERT_TRUE(event.body().UnpackTo(&played));
  const auto now_ms = base::unix_ms();
  send(*two, first_move(played.view(), "m2"));
  EXPECT_LE(last_move().spent_ms, now_ms - event.at_ms() - kDelay.count() + 1000);
}

TEST_F(TableClockTest, WhatTheStoreTakesToRefuseAMoveIsNotItsPlayersTime) {
  constexpr std::chrono::milliseconds kDelay{600};
  make_timed(100, 600'000);
  const auto one = come(first);
  const auto two = come(second);
  const auto frame = next(*one, &pb::ServerFrame::has_snapshot);
  const auto before = next(*two, &pb::ServerFrame::has_snapshot).snapshot().clocks();
  store.delay_appends(kDelay);
  store.fail_next_append({ErrorCode::kUnavailable, "The disk is full."},
                         store::MemoryStore::Fate::kRefused);
  send(*one, first_move(azul_view_of(frame), "m1"));
  const auto extended = next(*two, &pb::ServerFrame::has_clocks).clocks();
  ASSERT_TRUE(before.has_deadline_ms());
  EXPECT_GE(extended.deadline_ms() + kRounding, before.deadline_ms() + kDelay.count());
  EXPECT_TRUE(next(*one, &pb::ServerFrame::has_refusal).has_refusal());
  store.delay_appends({});
  send(*one, first_move(azul_view_of(frame), "m1"));
  EXPECT_TRUE(next(*two, &pb::ServerFrame::has_event).has_event());
  EXPECT_LE(last_move().spent_ms, base::unix_ms() - before.now_ms() - kDelay.count() + 500);
}

TEST_F(TableClockTest, WhatTheStoreTakesForSeatsIsNobodysTime) {
  constexpr std::chrono::milliseconds kDelay{600};
  make_timed(100, 600'000);
  const auto one = come(first);
  const auto two = come(second);
  const auto before = next(*two, &pb::ServerFrame::has_snapshot).snapshot().clocks();
  ASSERT_TRUE(before.has_deadline_ms());
  store.delay_appends(kDelay);
  // Ana or Bob leaves, and a strategy takes the seat: the one on turn waits for the store.
  boost::asio::co_spawn(
      io.at(0),
      directory.apply(id,
                      FreeSeat{.asker = second, .seat = Seat{static_cast<std::uint8_t>(1 - seat)}}),
      boost::asio::detached);
  const auto extended = next(*two, &pb::ServerFrame::has_clocks).clocks();
  EXPECT_GE(extended.deadline_ms() + kRounding, before.deadline_ms() + kDelay.count());
  store.delay_appends({});
}

TEST_F(TableClockTest, NoTimeRunsOutDuringAFreezeAndTheTurnBeginsAnewAfterIt) {
  make_timed();
  const auto one = come(first);
  const auto two = come(second);
  const auto before = next(*one, &pb::ServerFrame::has_snapshot).snapshot().clocks();
  ASSERT_TRUE(before.has_deadline_ms());
  life.run_out();
  wait_until([&] { return base::unix_ms() > before.deadline_ms() + 200; });
  EXPECT_EQ(versions(), 1);
  life.renew();
  directory.thaw();
  settle();
  const auto after = next(*two, &pb::ServerFrame::has_clocks).clocks();
  EXPECT_GE(after.deadline_ms(), before.deadline_ms() + 1200);
  wait_until([&] { return versions() == 2; });
  EXPECT_TRUE(last_move().timed_out);
  EXPECT_LE(last_move().spent_ms, base::unix_ms() - before.deadline_ms());
}

TEST_F(TableClockTest, AMoveInTimeIsChargedToItsSeat) {
  make_timed();
  const auto one = come(first);
  const auto view = azul_view_of(next(*one, &pb::ServerFrame::has_snapshot));
  send(*one, first_move(view, "m1"));
  const auto moved = last_move();
  EXPECT_FALSE(moved.timed_out);
  EXPECT_TRUE(moved.strategy.empty());
  EXPECT_GE(moved.spent_ms, 0);
  EXPECT_LT(moved.spent_ms, 1000);
}

TEST_F(TableClockTest, AfterAsManyTimeOutsAsAllowedTheSeatIsTakenOverUntilItsPlayerIsBack) {
  make_timed(1);
  auto one = come(first);
  wait_until([&] { return strategy() == "safe"; });
  EXPECT_EQ(row().seats[seat].player, first) << "it is still theirs";
  const auto told = next(*one, &pb::ServerFrame::has_seating).seating();
  EXPECT_EQ(told.seats(seat).strategy(), "safe");
  EXPECT_FALSE(told.seats(seat).bot());
  one.reset();
  const auto again = come(first);
  EXPECT_TRUE(strategy().empty());
}

TEST_F(TableClockTest, WhatOthersDoForgivesNobody) {
  make_timed(2);
  const auto one = come(first);
  wait_until([&] { return versions() == 2; });
  const Seat other{static_cast<std::uint8_t>(1 - seat)};
  ASSERT_TRUE(finish(directory.apply(id, FreeSeat{.asker = second, .seat = other})));
  wait_until([&] { return strategy() == "safe"; });
  const auto log = finish(store.read(id, Version{1}, 1000)).value();
  const auto timed_out = std::ranges::count_if(log, [](const store::Entry& entry) {
    const auto event = codec::decode_record(entry.record).value().event;
    const auto* moved = std::get_if<codec::Moved>(&event);
    return moved != nullptr && moved->timed_out;
  });
  EXPECT_EQ(timed_out, 2);
}

TEST_F(TableClockTest, AMoveOnTheOwnSeatTakesItBackToo) {
  make_timed(1, 60'000, 60'000);  // before the strategy has moved
  const auto one = come(first);
  const auto view = azul_view_of(next(*one, &pb::ServerFrame::has_snapshot));
  ASSERT_TRUE(finish(directory.apply(id, Substitute{Seat{seat}})));
  send(*one, first_move(view, "mine"));
  EXPECT_TRUE(strategy().empty());
  EXPECT_EQ(last_move().move_id, "mine");
}

TEST_F(TableClockTest, WhoLeavesAGameOfTwoIsPlayedForAndTakesTheSeatBack) {
  make_timed(1, 60'000);
  const auto two = come(second);
  ASSERT_TRUE(finish(directory.apply(id, FreeSeat{.asker = first, .seat = Seat{seat}})));
  EXPECT_EQ(strategy(), "safe");
  wait_until([&] { return versions() == 2; });
  EXPECT_FALSE(last_move().timed_out) << "autoplay moves like a bot";
  ASSERT_TRUE(take(first));
  EXPECT_TRUE(strategy().empty());
}

TEST_F(TableClockTest, ARestartChargesNobody) {
  make_timed(100, 60'000);
  {
    const auto one = come(first);
    const auto deadline_ms =
        next(*one, &pb::ServerFrame::has_snapshot).snapshot().clocks().deadline_ms();
    EXPECT_GT(deadline_ms, 0);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds{300});
  reload();
  const auto two = come(second);
  EXPECT_FALSE(next(*two, &pb::ServerFrame::has_snapshot).snapshot().clocks().has_deadline_ms());
  const auto one = come(first);
  const auto clocks = next(*one, &pb::ServerFrame::has_snapshot).snapshot().clocks();
  EXPECT_NEAR(static_cast<double>(clocks.deadline_ms() - clocks.now_ms()), 60'000, 100)
      << "the turn begins anew";
}

TEST_F(TableClockTest, WhatIsReadBackFromTheLogHasTheSameClocks) {
  make_timed(100, 60'000);
  const auto one = come(first);
  send(*one, first_move(azul_view_of(next(*one, &pb::ServerFrame::has_snapshot)), "m1"));
  const auto live = next(*one, &pb::ServerFrame::has_event);
  reload();
  const auto two = come(second, 1);
  const auto missed = next(*two, &pb::ServerFrame::has_event);
  EXPECT_EQ(missed.SerializeAsString(), live.SerializeAsString());
}

TEST_F(TableClockTest, ASecondStreamOfAPlayerTakesOverFromTheFirst) {
  const auto first = come(kPlayer);
  const auto second = come(kPlayer);
  const auto goodbye = next(*first, &pb::ServerFrame::has_goodbye).goodbye();
  EXPECT_EQ(goodbye.reason(), pb::REASON_REPLACED);
  EXPECT_FALSE(goodbye.reconnect());
  EXPECT_THAT(goodbye.message(), HasSubstr("elsewhere"));
  EXPECT_FALSE(second->outbox.ended());
}

TEST_F(TableClockTest, EverybodySeesWhoIsHere) {
  make_timed(100, 60'000);
  const auto ana = come(kPlayer);
  auto bob = come(kBob);
  const auto eve = come(std::nullopt);
  const auto here = next(*ana, [](const auto& frame) {
    return frame.has_seating() && frame.seating().spectators() == 1;
  });
  EXPECT_TRUE(here.seating().seats(0).connected());
  EXPECT_TRUE(here.seating().seats(1).connected());
  bob.reset();
  const auto gone = next(*ana, [](const auto& frame) {
    return frame.has_seating() && !frame.seating().seats(1).connected();
  });
  EXPECT_TRUE(gone.seating().seats(0).connected());
}

TEST_F(TableClockTest, WhoStaysAloneIsToldThatTheOtherHasGone) {
  make_timed(100, 60'000);
  const auto ana = come(kPlayer);
  auto bob = come(kBob);
  static_cast<void>(next(*ana, [](const auto& frame) {
    return frame.has_seating() && frame.seating().seats(1).connected();
  }));
  bob.reset();
  static_cast<void>(next(*ana, [](const auto& frame) {
    return frame.has_seating() && !frame.seating().seats(1).connected();
  }));
}

TEST_F(TableClockTest, AWelcomeComesBeforeTheClocksThatItSetsGoing) {
  make_timed(100, 60'000);
  const auto one = come(first);
  EXPECT_TRUE(one->read().has_welcome());
}

TEST_F(TableClockTest, WhoComesBackToARunningClockIsToldHowItStands) {
  make_timed(100, 60'000);
  const auto one = come(first);
  const auto two = come(second, 1);
  EXPECT_TRUE(next(*two, &pb::ServerFrame::has_welcome).welcome().resumed());
  EXPECT_TRUE(next(*two, &pb::ServerFrame::has_clocks).clocks().has_deadline_ms());
}

TEST_F(TableClockTest, AClockThatMakesNoSenseIsRefused) {
  const auto refused = [this](std::uint32_t players, const lobby::v1::ClockRules& clock) {
    directory::NewTable wanted{
        .owner = kPlayer, .owner_name = "Ana", .game = "azul", .config = azul(players)};
    *wanted.options.mutable_clock() = clock;
    const auto made = finish(directory.create(std::move(wanted)));
    return made ? std::string() : made.error().message;
  };
  lobby::v1::ClockRules clock;
  EXPECT_THAT(refused(2, clock), HasSubstr("move_ms, game_ms or both"));
  clock.set_increment_ms(10);
  clock.set_move_ms(2000);
  EXPECT_THAT(refused(2, clock), HasSubstr("increment_ms adds to game_ms"));
  clock.set_increment_ms(0);
  clock.set_move_ms(999);
  EXPECT_THAT(refused(2, clock), HasSubstr("must be 1000 to"));
}

TEST_F(TableClockTest, WhoPlaysAloneHasNoClock) {
  directory::NewTable wanted{.owner = kPlayer, .owner_name = "Ana", .game = "2048"};
  wanted.options.mutable_clock()->set_move_ms(1000);
  const auto made = finish(directory.create(std::move(wanted)));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("tables of several seats"));
}

}  // namespace
}  // namespace tesela::tables
