// When snapshots are written on PostgreSQL: by transactions of their own.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "server/base/store_limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace postgres_snapshots_test {

constexpr TableId kTable{42};
constexpr TableId kOther{43};
constexpr Version kEnd{1'000'000};

SnapshotRow row(std::uint64_t version) {
  return {.version = Version{version}, .position = "p" + std::to_string(version), .marks = "m"};
}

class PostgresSnapshots : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(caller_.open_table(kTable)); }
  void TearDown() override { store_->close(); }

  void write(TableId table, std::uint64_t version) { store_->write(table, row(version)); }
  void wait() const {
    while (store_->snapshots_waiting() > 0)
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  std::optional<SnapshotRow> newest(TableId table) {
    return caller_.wait(store_->newest_snapshot(table, kEnd)).value();
  }

  Database database_{PostgresServer::shared()};
  std::unique_ptr<PostgresStore> store_ = open_postgres(database_.url());
  Caller caller_{*store_, *store_};
  Session admin_{database_.url()};
};

TEST_F(PostgresSnapshots, OfATableThatIsNotThereAreDropped) {
  write(kOther, 4);
  write(kTable, 4);
  wait();
  EXPECT_FALSE(newest(kOther));
  EXPECT_EQ(newest(kTable)->version, Version{4});
}

TEST_F(PostgresSnapshots, NoMoveWaitsForThemAndAboveTheLimitTheyAreDropped) {
  admin_.run("BEGIN");
  admin_.run("LOCK TABLE snapshots IN ACCESS EXCLUSIVE MODE");
  for (std::uint64_t version = 1; version <= limits::kStoreSnapshotsMax + 5; ++version) {
    write(kTable, version);
  }
  EXPECT_EQ(store_->snapshots_waiting(), limits::kStoreSnapshotsMax);
  for (Version version{2}; version <= Version{20}; version = next(version)) {
    EXPECT_TRUE(caller_.append(kTable, version));
  }
  EXPECT_EQ(store_->snapshots_waiting(), limits::kStoreSnapshotsMax);
  admin_.run("COMMIT");
  wait();
  EXPECT_EQ(newest(kTable)->version, Version{limits::kStoreSnapshotsMax});
}

TEST_F(PostgresSnapshots, AreStoredAtTheLatestWhenTheStoreIsClosed) {
  for (std::uint64_t version = 1; version <= 100; ++version) write(kTable, version);
  store_->close();
  write(kTable, 200);
  EXPECT_EQ(admin_.run("SELECT max(version) FROM snapshots"), std::vector<std::string>{"100"});
}

TEST_F(PostgresSnapshots, AreStoredAlsoByAStoreThatIsStillOpeningItsConnections) {
  for (std::uint64_t version = 1; version <= 10; ++version) {
    const auto store = open_postgres(database_.url());
    store->write(kTable, row(version));
    store->close();
  }
  EXPECT_EQ(admin_.run("SELECT count(*) FROM snapshots"), std::vector<std::string>{"10"});
}

TEST_F(PostgresSnapshots, AreNotInsertedBehindTheDeletionOfTheirTable) {
  admin_.run("UPDATE tables SET state = 4, ended_ms = 1 WHERE id = 42");
  admin_.run("BEGIN");
  admin_.run("SELECT 1 FROM tables WHERE id = 42 FOR UPDATE");
  write(kTable, 4);
  Session watcher(database_.url());
  while (watcher
             .run("SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND"
                  " wait_event_type = 'Lock'")
             .empty()) {
    ASSERT_GT(store_->snapshots_waiting(), 0U);
  }
  admin_.run("DELETE FROM seats WHERE table_id = 42");
  admin_.run("DELETE FROM tables WHERE id = 42");
  admin_.run("COMMIT");
  wait();
  EXPECT_EQ(admin_.run("SELECT count(*) FROM snapshots"), std::vector<std::string>{"0"});
}

}  // namespace postgres_snapshots_test
}  // namespace tesela::store
