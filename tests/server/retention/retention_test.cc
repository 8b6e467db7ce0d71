// The search for data to delete, on the real store.
#include "server/retention/retention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/io_pool.h"
#include "server/base/scale_limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::retention {
namespace {

using namespace std::chrono_literals;
using store::Caller;
using store::TableRow;
using store::TableState;

constexpr std::int64_t kNow = 1'000'000'000;
constexpr PlayerId kIssued{5};
constexpr PlayerId kBot{6};
constexpr PlayerId kAna{7};
constexpr PlayerId kBen{8};

class RetentionTest : public testing::Test {
 protected:
  RetentionTest() {
    open();
    add(kIssued, store::PlayerKind::kOfIssuer);
    add(kBot, store::PlayerKind::kBot);
    add(kAna, store::PlayerKind::kGuest);
    add(kBen, store::PlayerKind::kGuest);
  }

  void open() {
    caller_.reset();
    store_.reset();
    store_ = store::open_sqlite(folder_.path());
    caller_.emplace(*store_, *store_);
  }
  Caller& caller() { return *caller_; }
  void add(PlayerId id, store::PlayerKind kind) {
    ASSERT_TRUE(caller().wait(store_->add_player({.id = id,
                                                  .display_name = "P",
                                                  .created_ms = 1000,
                                                  .kind = kind,
                                                  .identity = std::string(8, 'i')})));
  }
  /// A table of these players, over or closed at `ended_ms`.
  TableId end(std::vector<PlayerId> players, std::int64_t ended_ms, bool closed = false) {
    const TableId id{++last_};
    TableRow table{.id = id,
                   .game = "2048",
                   .config = "c",
                   .owner = kIssued,
                   .seat_count = static_cast<std::uint8_t>(players.size()),
                   .seats = {},
                   .epoch = {},
                   .created_ms = ended_ms,
                   .ending = {}};
    for (const PlayerId player : players) {
      table.seats.push_back({.seat = Seat{static_cast<std::uint8_t>(table.seats.size())},
                             .player = player,
                             .display_name = {},
                             .strategy = player == kBot ? "random" : "",
                             .bot = player == kBot});
    }
    EXPECT_TRUE(caller().wait(store_->add_table(table, "record", {})));
    table.epoch = Epoch{1};
    table.state = closed ? TableState::kClosed : TableState::kOver;
    table.ending = store::Ending{.result = closed ? "" : "r", .ended_ms = ended_ms};
    EXPECT_TRUE(caller().change(table));
    return id;
  }
  bool is_there(TableId table) { return caller().look_at(table).has_value(); }
  bool is_there(PlayerId player) { return caller().meet(player).has_value(); }

  /// Steps until there is nothing to do.
  store::Removed search(std::int64_t now_ms = kNow) {
    base::IoPool pool(1);
    pool.run();
    Retention retention({.loop = pool.any(),
                         .store = *store_,
                         .metrics = metrics_,
                         .keep_games = keep_games_,
                         .keep_guests = keep_guests_});
    store::Removed all;
    for (int steps = 0;; ++steps) {
      const auto step = caller().wait(retention.step(now_ms));
      EXPECT_TRUE(step) << step.error().message;
      EXPECT_LE(step->tables, limits::kRemovedTablesAtOnce);
      EXPECT_LT(steps, 1000) << "it does not come to an end";
      if (!step || steps == 1000) break;
      all.tables += step->tables;
      all.guests += step->guests;
      if (!step->more) break;
    }
    return all;
  }

  store::ScratchFolder folder_;
  std::unique_ptr<store::SqliteStore> store_;
  std::optional<Caller> caller_;
  metrics::Metrics metrics_;
  std::chrono::milliseconds keep_games_{1000s};
  std::chrono::milliseconds keep_guests_{1000s};
  std::uint64_t last_ = 100;
};

TEST_F(RetentionTest, WhatNobodyNeedsGoesAndTheRestStays) {
  const TableId closed = end({kAna}, 1000, true);
  const TableId of_bots = end({kBot}, 1000);
  const TableId registered = end({kIssued, kAna}, 1000);
  const TableId late = end({kBot}, kNow - 1);
  const auto removed = search();
  EXPECT_EQ(removed.tables, 2);
  EXPECT_FALSE(is_there(closed));
  EXPECT_FALSE(is_there(of_bots));
  EXPECT_TRUE(is_there(registered));
  EXPECT_TRUE(is_there(late));
  EXPECT_TRUE(is_there(kAna)) << "has a game that is kept";
  EXPECT_FALSE(is_there(kBen)) << "has none";
  EXPECT_TRUE(is_there(kIssued));
  EXPECT_TRUE(is_there(kBot));
  EXPECT_EQ(metrics_.deleted("table").Value(), 2);
  EXPECT_EQ(metrics_.deleted("guest").Value(), 1);
  EXPECT_EQ(metrics_.deleted("event").Value(), 2);
  EXPECT_EQ(search().tables + search().guests, 0);
}

TEST_F(RetentionTest, AGameOfGuestsGoesWithTheLastOfThem) {
  const TableId both = end({kAna, kBen}, 1000);
  ASSERT_TRUE(caller().wait(store_->see_session(SessionId{1}, kBen, kNow - 10)));
  EXPECT_EQ(search().tables, 0);
  EXPECT_TRUE(is_there(both));
  EXPECT_TRUE(is_there(kAna));
  const std::int64_t later = kNow + 2 * keep_guests_.count();
  const auto removed = search(later);
  EXPECT_EQ(removed.tables, 1);
  EXPECT_FALSE(is_there(both));
  EXPECT_FALSE(is_there(kAna));
  EXPECT_FALSE(is_there(kBen));
}

// A guest who is kept looks as if it had come.
TEST_F(RetentionTest, AGameOfGuestsGoesThoughTheyWereKeptAtDifferentTimes) {
  const TableId both = end({kAna, kBen}, 1000);
  const std::int64_t half = keep_guests_.count() / 2;
  ASSERT_TRUE(caller().wait(store_->see_session(SessionId{1}, kBen, kNow - half)));
  search(kNow);
  EXPECT_TRUE(is_there(both));
  for (int rounds = 1; rounds <= 6; ++rounds) search(kNow + 1 + rounds * half);
  EXPECT_FALSE(is_there(both));
  EXPECT_FALSE(is_there(kAna));
  EXPECT_FALSE(is_there(kBen));
}

TEST_F(RetentionTest, ALineOnABoardKeepsTheGameThatItNamesAndNoOther) {
  const auto play = [&](const std::string& config) {
    const TableId id{++last_};
    EXPECT_TRUE(caller().open_table(id, {kAna}));
    const store::BoardKey best{.kind = store::BoardKind::kBest, .game = "2048", .config = config};
    EXPECT_TRUE(caller().end(id, Version{2}, {.result = "r", .ended_ms = 1000},
                             {.game = "2048", .scores = {{best, kAna, 7}}}));
    return id;
  };
  std::vector<TableId> named{play("0")};
  const TableId no_better = play("0");
  for (std::size_t n = 1; n <= limits::kRetentionTablesOfGuest + 1; ++n) {
    named.push_back(play(std::to_string(n)));
  }
  open();
  EXPECT_EQ(search().tables, 1);
  EXPECT_FALSE(is_there(no_better));
  for (const TableId table : named) EXPECT_TRUE(is_there(table));
  EXPECT_TRUE(is_there(kAna));
}

TEST_F(RetentionTest, MoreThanAStepTakes) {
  constexpr std::size_t kMany = 3 * limits::kRetentionTablesLooked + 5;
  std::vector<TableId> tables;
  for (std::size_t n = 0; n < kMany; ++n) {
    tables.push_back(end({kAna}, 1000 + static_cast<std::int64_t>(n), n % 2 == 0));
  }
  const auto removed = search();
  EXPECT_EQ(removed.tables, kMany);
  EXPECT_EQ(removed.guests, 2);
  for (const TableId table : tables) EXPECT_FALSE(is_there(table));
}

TEST_F(RetentionTest, AnEndThatIsStoredLateIsFoundAfterARestart) {
  const std::int64_t old = kNow - keep_games_.count();
  end({kBot}, old - 1);
  const TableId stays = end({kIssued}, old - 2);
  EXPECT_EQ(search().tables, 1);
  const TableId late = end({kBot}, old - limits::kEndingStoredTimeMax.count() + 1);
  EXPECT_EQ(search().tables, 1);
  EXPECT_FALSE(is_there(late));
  EXPECT_TRUE(is_there(stays));
}

TEST_F(RetentionTest, AnEndThatIsStoredLateIsFoundByTheNextSearch) {
  constexpr std::size_t kMany = 2 * limits::kRetentionTablesLooked;
  const std::int64_t old = kNow - keep_games_.count();
  base::IoPool pool(1);
  Retention retention({.loop = pool.any(),
                       .store = *store_,
                       .metrics = metrics_,
                       .keep_games = keep_games_,
                       .keep_guests = keep_guests_});
  const auto search_at = [&](std::int64_t now_ms) {
    std::size_t tables = 0;
    for (int steps = 0; steps < 100; ++steps) {
      const auto step = caller().wait(retention.step(now_ms));
      EXPECT_TRUE(step) << step.error().message;
      if (!step || !step->more) break;
      tables += step->tables;
    }
    return tables;
  };
  end({kBot}, old - 1);
  search_at(kNow);
  std::vector<TableId> late;
  for (std::size_t n = 0; n < kMany; ++n) {
    end({kIssued}, old - 3);
    late.push_back(end({kBot}, old - 2));
  }
  // Later than the time between two searches.
  search_at(kNow + 10 * keep_games_.count());
  for (const TableId table : late) EXPECT_FALSE(is_there(table));
}

TEST_F(RetentionTest, ItGoesOnWhereItWasCutOff) {
  std::vector<TableId> tables;
  for (std::size_t n = 0; n < 2 * limits::kRemovedTablesAtOnce; ++n) {
    tables.push_back(end({kBot}, 1000));
  }
  open();
  base::IoPool pool(1);
  {
    Retention retention({.loop = pool.any(),
                         .store = *store_,
                         .metrics = metrics_,
                         .keep_games = keep_games_,
                         .keep_guests = keep_guests_});
    const auto step = caller().wait(retention.step(kNow));
    ASSERT_TRUE(step);
    EXPECT_EQ(step->tables, limits::kRemovedTablesAtOnce);
    EXPECT_TRUE(step->more);
  }
  open();
  EXPECT_EQ(search().tables, limits::kRemovedTablesAtOnce);
  for (const TableId table : tables) EXPECT_FALSE(is_there(table));
}

TEST_F(RetentionTest, ForEverIsForEver) {
  keep_games_ = 0ms;
  keep_guests_ = 0ms;
  const TableId closed = end({kAna}, 1000, true);
  EXPECT_EQ(search().tables, 0);
  EXPECT_TRUE(is_there(closed));
  EXPECT_TRUE(is_there(kBen));
  keep_guests_ = 1000s;
  EXPECT_EQ(search().guests, 1);
  EXPECT_TRUE(is_there(closed));
  EXPECT_TRUE(is_there(kAna)) << "the closed table is kept";
}

TEST_F(RetentionTest, ItSearchesAgainAndAgainUntilItStops) {
  keep_games_ = 20ms;
  base::IoPool pool(1);
  pool.run();
  Retention retention({.loop = pool.any(),
                       .store = *store_,
                       .metrics = metrics_,
                       .keep_games = keep_games_,
                       .keep_guests = 0ms});
  retention.start();
  for (int round = 0; round < 2; ++round) {
    const TableId table = end({kBot}, 1000);
    while (is_there(table)) {
    }
  }
  caller().wait([](Retention& it) -> boost::asio::awaitable<bool> {
    co_await it.stop();
    co_return true;
  }(retention));
}

TEST_F(RetentionTest, OnlyTheServerThatHasTheDutyDeletes) {
  std::atomic<int> asked = 0;
  std::atomic<bool> on_duty = false;
  const TableId table = end({kBot}, 1000);
  base::IoPool pool(1);
  pool.run();
  Retention retention({.loop = pool.any(),
                       .store = *store_,
                       .metrics = metrics_,
                       .keep_games = 20ms,
                       .keep_guests = 0ms,
                       .on_duty = [&] {
                         ++asked;
                         return on_duty.load();
                       }});
  retention.start();
  while (asked < 3) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  EXPECT_TRUE(is_there(table));
  on_duty = true;
  while (is_there(table)) {
  }
  caller().wait([](Retention& it) -> boost::asio::awaitable<bool> {
    co_await it.stop();
    co_return true;
  }(retention));
}

}  // namespace
}  // namespace tesela::retention
