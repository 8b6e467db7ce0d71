// The contract of Snapshots (server/store/snapshots.h).
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace snapshots_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TableId kTable{42};
constexpr TableId kOther{43};
constexpr Version kEnd{1'000'000};

SnapshotRow row(std::uint64_t version, std::string position = "p", std::string marks = "m") {
  return {.version = Version{version},
          .position = std::move(position) + std::to_string(version),
          .marks = std::move(marks) + std::to_string(version)};
}

class SnapshotsContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().open_table(kTable));
    ASSERT_TRUE(caller().open_table(kOther));
  }
  /// Writes, and then something that is waited for: a snapshot is stored with the next of these.
  void write(TableId table, SnapshotRow written) {
    backend().snapshots().write(table, std::move(written));
    commit();
  }
  void commit() {
    ASSERT_TRUE(caller().append(kOther, last_ = next(last_)));
    backend().wait_for_snapshots();
  }

  std::optional<SnapshotRow> newest(TableId table, Version until = kEnd) {
    return caller().wait(backend().snapshots().newest_snapshot(table, until)).value();
  }
  std::vector<SnapshotRow> marks(TableId table, Version until = kEnd) {
    return caller().wait(backend().snapshots().snapshot_marks(table, until)).value();
  }
  static SnapshotRow position_of(SnapshotRow of) {
    of.marks.clear();
    return of;
  }
  static SnapshotRow marks_of(SnapshotRow of) {
    of.position.clear();
    return of;
  }

 private:
  Version last_{1};
};

INSTANTIATE_TEST_SUITE_P(Stores, SnapshotsContract, testing::ValuesIn(kinds()), kind_name);

TEST_P(SnapshotsContract, TheNewestAtOrBeforeAVersionIsFound) {
  EXPECT_FALSE(newest(kTable));
  write(kTable, row(8));
  write(kTable, row(4));
  write(kOther, row(6));
  EXPECT_FALSE(newest(kTable, Version{3}));
  EXPECT_EQ(newest(kTable, Version{4}), position_of(row(4)));
  EXPECT_EQ(newest(kTable, Version{7}), position_of(row(4)));
  EXPECT_EQ(newest(kTable), position_of(row(8)));
  reopen();
  EXPECT_EQ(newest(kTable), position_of(row(8)));
  EXPECT_EQ(newest(kOther), position_of(row(6)));
}

TEST_P(SnapshotsContract, MarksAreInTheOrderOfVersions) {
  for (const std::uint64_t version : {12U, 4U, 8U}) write(kTable, row(version));
  EXPECT_THAT(marks(kTable), ElementsAre(marks_of(row(4)), marks_of(row(8)), marks_of(row(12))));
  EXPECT_THAT(marks(kTable, Version{8}), ElementsAre(marks_of(row(4)), marks_of(row(8))));
  EXPECT_THAT(marks(kOther), IsEmpty());
}

TEST_P(SnapshotsContract, ALaterOneOfAVersionReplacesTheOneBefore) {
  write(kTable, row(4));
  write(kTable, row(4, "other", "others"));
  EXPECT_EQ(newest(kTable), position_of(row(4, "other")));
  EXPECT_THAT(marks(kTable), ElementsAre(marks_of(row(4, "", "others"))));
}

TEST_P(SnapshotsContract, WhatIsThinnedOutKeepsMultiplesWithoutTheirMarks) {
  for (std::uint64_t version = 4; version <= 40; version += 4) write(kTable, row(version));
  write(kOther, row(4));
  backend().snapshots().thin_out(kTable, 16);
  commit();
  EXPECT_EQ(newest(kTable), position_of(row(32)));
  EXPECT_EQ(newest(kTable, Version{31}), position_of(row(16)));
  EXPECT_FALSE(newest(kTable, Version{15}));
  EXPECT_THAT(marks(kTable), IsEmpty());
  EXPECT_EQ(newest(kOther), position_of(row(4)));
}

}  // namespace snapshots_test
}  // namespace tesela::store
