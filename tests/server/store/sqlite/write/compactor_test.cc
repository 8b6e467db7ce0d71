#include "server/store/sqlite/write/compactor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/base/limits.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/database/schema.h"
#include "server/store/sqlite/write/event_rows.h"
#include "tests/server/store/backend.h"

namespace tesela::store {
namespace compactor_test {

constexpr TableId kTable{1};
constexpr std::size_t kGeneration = limits::kStoreRecentMax;

class CompactorTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(prepare_schema(connection_, folder_.path()));
    compactor_.emplace(connection_, recent_);
    row_.emplace(connection_, "recent_events");
  }

  /// One transaction: a share is compacted, then `count` events are appended.
  void transact(std::size_t share, std::size_t count) {
    connection_.run("BEGIN");
    compactor_->step(share);
    std::vector<RecentEvents::Committed> events;
    for (std::size_t i = 0; i < count; ++i) {
      last_ = next(last_);
      events.push_back({kTable, Entry{last_, "record"}});
    }
    row_->insert(events.size(), [&](std::size_t i) {
      return EventRows::Row{kTable, events[i].entry.version, events[i].entry.record};
    });
    connection_.run("COMMIT");
    compactor_->commit();
    recent_.add(events);
  }
  std::int64_t count(const std::string& relation) {
    return connection_.number("SELECT count(*) FROM " + relation);
  }
  void expect_every_event() {
    EXPECT_EQ(count("log"), static_cast<std::int64_t>(last_.value));
    EXPECT_EQ(connection_.number("SELECT max(version) FROM log"), count("log"));
  }

  ScratchFolder folder_;
  Connection connection_{folder_.path() / "tesela.db", Connection::Access::kReadWrite};
  RecentEvents recent_;
  std::optional<Compactor> compactor_;
  std::optional<EventRows> row_;
  Version last_{0};
};

TEST_F(CompactorTest, NothingIsCompactedBeforeEnoughHasGathered) {
  transact(1, kGeneration - 1);
  transact(kGeneration, 1);
  EXPECT_EQ(count("events"), 0);
  transact(kGeneration, 0);
  EXPECT_EQ(count("events"), static_cast<std::int64_t>(kGeneration));
}

TEST_F(CompactorTest, AGenerationIsCopiedAndThenDropped) {
  transact(1, kGeneration);
  for (int i = 0; i < 4; ++i) {
    transact(kGeneration / 4, 1);
    EXPECT_EQ(count("recent_events"), static_cast<std::int64_t>(kGeneration) + i + 1);
  }
  for (int i = 0; i < 2; ++i) transact(kGeneration / 4, 1);
  EXPECT_EQ(count("recent_events"), 6);
  expect_every_event();
}

TEST_F(CompactorTest, CompactingKeepsUpWithWhatComes) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < 10 * kGeneration / 1000; ++i) {
    transact(limits::kStoreCompactShare * 1000, 1000);
    most = std::max(most, recent_.gathered());
  }
  EXPECT_LT(most, kGeneration + 1000);
  expect_every_event();
}

// SQLite numbers the rows of an empty table from 1 on again.
TEST_F(CompactorTest, WhatComesWhenAllElseIsDroppedStays) {
  transact(1, kGeneration);
  transact(kGeneration, 0);
  transact(kGeneration, 1);
  EXPECT_EQ(count("recent_events"), 1);
  transact(kGeneration, 1);
  EXPECT_EQ(count("recent_events"), 2);
  expect_every_event();
}

TEST_F(CompactorTest, TheNextGenerationIsCompactedToo) {
  for (int generation = 0; generation < 3; ++generation) {
    transact(1, kGeneration);
    transact(kGeneration, 0);
    transact(kGeneration, 0);
    EXPECT_EQ(count("recent_events"), 0);
    expect_every_event();
  }
  EXPECT_EQ(count("events"), static_cast<std::int64_t>(3 * kGeneration));
}

}  // namespace compactor_test
}  // namespace tesela::store
