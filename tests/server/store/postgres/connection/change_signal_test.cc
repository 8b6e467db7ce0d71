// How servers on one PostgreSQL hear of each other's changes, and what they make of lost answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "server/base/postgres_limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace change_signals_test {

using std::chrono::milliseconds;

class PostgresChangeSignals : public testing::Test {
 protected:
  void SetUp() override {
    ann_store_->changes().on_signal([this] { ++by_ann_; });
    ben_store_->changes().on_signal([this] { ++by_ben_; });
  }
  /// Waits until ann has heard so many.
  void wait_for(int count) const {
    while (by_ann_ < count) std::this_thread::sleep_for(milliseconds{1});
  }

  std::atomic<int> by_ann_{0};
  std::atomic<int> by_ben_{0};
  Database database_{PostgresServer::shared()};
  std::unique_ptr<PostgresStore> ann_store_ = open_postgres(database_.url());
  std::unique_ptr<PostgresStore> ben_store_ = open_postgres(database_.url());
  Caller ben_{*ben_store_, *ben_store_};
  Session admin_{database_.url()};
};

TEST_F(PostgresChangeSignals, AServerHearsOfOthersThatChangeTablesAndNotOfItself) {
  constexpr int kTables = 20;
  for (int i = 1; i <= kTables; ++i) {
    const int before = by_ann_;
    ASSERT_TRUE(ben_.open_table(TableId{static_cast<std::uint64_t>(i)}));
    wait_for(before + 1);
  }
  // Its connection may have been opened meanwhile, which counts as well.
  EXPECT_LE(by_ben_, 1);
}

TEST_F(PostgresChangeSignals, ManyChangesShareASignal) {
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  wait_for(1);
  const int before = by_ann_;
  const auto began = std::chrono::steady_clock::now();
  for (std::uint64_t id = 2; id <= 300; ++id) ASSERT_TRUE(ben_.open_table(TableId{id}));
  const auto time = std::chrono::steady_clock::now() - began;
  EXPECT_LE(by_ann_ - before, time / limits::kChangeSignalInterval + 2);
}

TEST_F(PostgresChangeSignals, ALostConnectionIsOpenedAgainAndIsASignal) {
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  wait_for(1);
  for (int round = 0; round < 2; ++round) {
    const int before = by_ann_;
    admin_.run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    wait_for(before + 1);
  }
  // Both listen again, or will: until then signals are lost.
  for (std::uint64_t id = 10; by_ann_ < 4; ++id) {
    ASSERT_TRUE(ben_.open_table(TableId{id}));
    std::this_thread::sleep_for(milliseconds{10});
  }
}

// The caller is told so before anybody knows.
TEST(PostgresLostChanges, AWriteOfUnknownOutcomeIsAGapAndIsToldWhenItIsThere) {
  Database database{PostgresServer::shared()};
  const auto store = open_postgres(database.url(), milliseconds{1000});
  Caller caller(*store, *store);
  Session admin(database.url());
  ASSERT_TRUE(caller.open_table(TableId{1}));
  const auto read = [&](std::optional<ChangesMoment> since) {
    ChangesQuery query{.since = std::move(since)};
    return caller.wait(store->changes().read(std::move(query)));
  };
  const auto begin = read(std::nullopt).value();
  ASSERT_FALSE(read(begin.until).value().gap);
  // It waits for a lock until its time is over.
  admin.run("BEGIN");
  admin.run("LOCK TABLE changes IN ACCESS EXCLUSIVE MODE");
  ASSERT_EQ(refusal(caller.end(TableId{1}, Version{2}, {.result = "r", .ended_ms = 7})),
            ErrorCode::kInternal);
  admin.run("COMMIT");
  // What is tried again is answered, and the read waits with it for a connection.
  auto after = read(begin.until);
  while (!after) after = read(begin.until);
  EXPECT_TRUE(after->gap);
  EXPECT_TRUE(after->tables.empty());
  ASSERT_TRUE(caller.open_table(TableId{2}));
  const auto own = read(after->until).value();
  EXPECT_FALSE(own.gap);
  EXPECT_TRUE(std::ranges::any_of(
      own.tables, [](const ChangedTable& table) { return table.row.id == TableId{2}; }));
}

}  // namespace change_signals_test
}  // namespace tesela::store
