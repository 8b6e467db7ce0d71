// What a server publishes of the tables that another one changes on the same PostgreSQL.
#include "server/directory/lobby/change_follower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/io_pool.h"
#include "server/base/postgres_limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::directory {
namespace {

using store::Caller;
using Ids = std::vector<std::uint64_t>;

/// Ann follows what ben changes.
class ChangeFollowerTest : public testing::Test {
 protected:
  ChangeFollowerTest() { io_.run(); }
  ~ChangeFollowerTest() override {
    ann_store_->close();
    io_.stop();
    io_.join();
  }

  void look() { boost::asio::co_spawn(io_.at(0), follower_.look(), boost::asio::use_future).get(); }
  /// What was published since it was asked last.
  Ids told() {
    const std::lock_guard lock{mutex_};
    return std::exchange(told_, {});
  }
  [[nodiscard]] bool was_told(std::uint64_t table) {
    const std::lock_guard lock{mutex_};
    return std::ranges::find(told_, table) != told_.end();
  }

  store::Database database_{store::PostgresServer::shared()};
  std::unique_ptr<store::PostgresStore> ann_store_ = store::open_postgres(database_.url());
  std::unique_ptr<store::PostgresStore> ben_store_ = store::open_postgres(database_.url());
  Caller ann_{*ann_store_, *ann_store_};
  Caller ben_{*ben_store_, *ben_store_};
  store::Session admin_{database_.url()};
  base::IoPool io_{1};
  metrics::Metrics metrics_;
  std::mutex mutex_;
  Ids told_;  // under the mutex
  std::atomic<int> missed_{0};
  std::function<bool()> wants_ = [] { return true; };
  std::atomic<bool> on_duty_{false};
  TableFeed feed_;
  TableFeed::Subscription subscription_{feed_,
                                        {.changed =
                                             [this](const store::TableRow& table, bool) {
                                               const std::lock_guard lock{mutex_};
                                               told_.push_back(table.id.value);
                                             },
                                         .missed = [this] { ++missed_; },
                                         .wants = [this] { return wants_(); }}};
  ChangeFollower follower_{{.loop = io_.at(0),
                            .changes = &ann_store_->changes(),
                            .feed = feed_,
                            .metrics = metrics_,
                            .on_duty = [this] { return on_duty_.load(); }}};
};

TEST_F(ChangeFollowerTest, WhatTheOtherChangesIsPublishedAndOnesOwnIsNot) {
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  look();  // nobody knows what came before
  EXPECT_EQ(missed_, 1);
  EXPECT_EQ(told(), Ids{});
  ASSERT_TRUE(ben_.open_table(TableId{2}));
  ASSERT_TRUE(ann_.open_table(TableId{3}));
  look();
  EXPECT_EQ(told(), Ids{2});
  look();
  EXPECT_EQ(told(), Ids{});
  EXPECT_EQ(missed_, 1);
  EXPECT_EQ(metrics_.lobby_changes().Value(), 1);
  EXPECT_EQ(metrics_.lobby_gaps().Value(), 0);
}

// It may have come between the read and the publication of what was read, which is older.
TEST_F(ChangeFollowerTest, AChangeOfOnesOwnAfterAReadOfTheTableIsToldAgain) {
  look();
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  look();
  EXPECT_EQ(told(), Ids{1});
  ASSERT_TRUE(ann_.end(TableId{1}, Version{2}, {.result = "r", .ended_ms = 7}));
  look();
  EXPECT_EQ(told(), Ids{1});
  store::TableRow over = *ann_.look_at(TableId{1});
  over.assisted = true;
  ASSERT_TRUE(ben_.change(over));
  look();
  EXPECT_EQ(told(), Ids{1});
  look();
  ASSERT_TRUE(ann_.change(over));
  look();
  EXPECT_EQ(told(), Ids{});
}

TEST_F(ChangeFollowerTest, WhatNobodyWantsToHearIsNotReadAndNotToldLater) {
  look();
  wants_ = [] { return false; };
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  look();
  wants_ = [] { return true; };
  ASSERT_TRUE(ben_.open_table(TableId{2}));
  look();
  EXPECT_EQ(told(), Ids{2});
  EXPECT_EQ(metrics_.lobby_changes().Value(), 2);
}

TEST_F(ChangeFollowerTest, WhoComesDuringAReadHearsOfWhatItHasFound) {
  look();
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  bool came = false;
  wants_ = [&came] { return std::exchange(came, true); };
  look();
  EXPECT_EQ(told(), Ids{1});
}

TEST_F(ChangeFollowerTest, AfterAGapItGoesOn) {
  look();
  admin_.run("INSERT INTO changes (table_id, writer) SELECT i, 0 FROM generate_series(1, " +
             std::to_string(limits::kChangedTablesMax + 1) + ") AS i");
  look();
  EXPECT_EQ(missed_, 2);
  EXPECT_EQ(metrics_.lobby_gaps().Value(), 1);
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  look();
  EXPECT_EQ(told(), Ids{1});
  EXPECT_EQ(missed_, 2);
}

TEST_F(ChangeFollowerTest, ManyTablesAreToldInStepsAndAllOfThem) {
  look();
  Ids all;
  for (std::uint64_t id = 1; id <= 2 * limits::kChangesToldAtOnce + 1; ++id) {
    ASSERT_TRUE(ben_.open_table(TableId{id}));
    all.push_back(id);
  }
  look();
  EXPECT_EQ(told(), all);
}

TEST_F(ChangeFollowerTest, ItFollowsByItselfUntilItIsStoppedAndTrimsOnDuty) {
  on_duty_ = true;
  follower_.start();
  while (missed_ == 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  for (std::uint64_t id = 1; id <= 5; ++id) {
    ASSERT_TRUE(ben_.open_table(TableId{id}));
    while (!was_told(id)) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  while (admin_.run("SELECT count(*) FROM change_moments").front() == "0") {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  boost::asio::co_spawn(io_.at(0), follower_.stop(), boost::asio::use_future).get();
  static_cast<void>(told());
  ASSERT_TRUE(ben_.open_table(TableId{6}));
  EXPECT_EQ(told(), Ids{});
}

}  // namespace
}  // namespace tesela::directory
