// When snapshots are written on SQLite: with the transactions of other writes.
#include <gtest/gtest.h>

#include <string>

#include "server/base/store_limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace sqlite_snapshots_test {

constexpr TableId kTable{42};
constexpr TableId kOther{43};
constexpr Version kEnd{1'000'000};

SnapshotRow row(std::uint64_t version) {
  return {.version = Version{version}, .position = "p" + std::to_string(version), .marks = "m"};
}

class SqliteSnapshots : public testing::Test {
 protected:
  ScratchFolder folder_;
};

TEST_F(SqliteSnapshots, OfATableThatIsNotThereIsDropped) {
  const auto store = open_sqlite(folder_.path());
  Caller caller(*store, *store);
  ASSERT_TRUE(caller.open_table(kTable));
  store->write(kOther, row(4));
  ASSERT_TRUE(caller.append(kTable, Version{2}));
  EXPECT_FALSE(caller.wait(store->newest_snapshot(kOther, kEnd)).value());
}

TEST_F(SqliteSnapshots, AreStoredAtTheLatestWhenTheStoreIsClosedAndDroppedAboveTheLimit) {
  {
    const auto store = open_sqlite(folder_.path());
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.open_table(kTable));
    for (std::uint64_t version = 1; version <= limits::kStoreSnapshotsMax + 5; ++version) {
      store->write(kTable, row(version));
    }
    EXPECT_FALSE(caller.wait(store->newest_snapshot(kTable, kEnd)).value())
        << "no transaction begins for them";
  }
  const auto store = open_sqlite(folder_.path());
  Caller caller(*store, *store);
  EXPECT_EQ(caller.wait(store->newest_snapshot(kTable, kEnd)).value()->version,
            Version{limits::kStoreSnapshotsMax});
}

TEST_F(SqliteSnapshots, OfAMoveThatIsRefusedAreStoredAllTheSame) {
  const auto store = open_sqlite(folder_.path());
  Caller caller(*store, *store);
  ASSERT_TRUE(caller.open_table(kTable));
  store->write(kTable, row(1));
  EXPECT_FALSE(caller.append(kTable, Version{7}));
  EXPECT_TRUE(caller.wait(store->newest_snapshot(kTable, kEnd)).value());
}

}  // namespace sqlite_snapshots_test
}  // namespace tesela::store
