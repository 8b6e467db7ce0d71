// The contract of GameArchives (server/store/game_archives.h): readers do not notice packed logs.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/archive/packed_log.h"
#include "server/base/limits.h"
#include "server/base/store_limits.h"
#include "tests/server/store/contract.h"

namespace tesela::store {
namespace archives_test {

constexpr TableId kTable{42};
constexpr TableId kOther{43};
constexpr std::int64_t kEndedMs = 5000;
constexpr std::int64_t kLater = kEndedMs + 1;

class ArchivesContract : public StoreContract {
 protected:
  /// A game of so many events, over and compacted.
  void make_over(TableId table, Version last) {
    ASSERT_TRUE(caller().open_table(table));
    for (Version version{2}; version < last; version = next(version)) {
      ASSERT_TRUE(caller().append(table, version));
    }
    ASSERT_TRUE(caller().end(table, last, {.result = "r", .ended_ms = kEndedMs}));
    reopen();
  }
  archive::PackedLog packed(TableId table) {
    archive::RecordList records;
    const auto entries = caller().read(table, Version{1}, 1'000'000);
    for (const Entry& entry : *entries) {
      records.add(entry.record);
    }
    return archive::pack(records).value();
  }
  Expected<void> archive(TableId table, std::optional<archive::PackedLog> log,
                         std::uint64_t snapshots_apart = 0) {
    return caller().wait(backend().archives().archive(table, std::move(log), snapshots_apart));
  }
  Expected<void> drop(TableId table) {
    return caller().wait(backend().archives().drop_packed(table));
  }
  std::vector<ArchiveTask> tasks(std::int64_t before_ms = kLater, std::size_t max = 100) {
    return caller().wait(backend().archives().archive_tasks(before_ms, max)).value();
  }
  std::uint64_t backlog() {
    return caller().wait(backend().archives().archive_backlog(kLater)).value();
  }
  void add_snapshots(TableId table, std::uint64_t last) {
    for (std::uint64_t version = 4; version <= last; version += 4) {
      backend().snapshots().write(table,
                                  {.version = Version{version}, .position = "p", .marks = "m"});
    }
    // A snapshot is stored with the next write that is waited for.
    ASSERT_TRUE(caller().sign_in(PlayerId{900 + table.value}, "Ada"));
    backend().wait_for_snapshots();
  }
  std::int64_t snapshots_of(TableId table, const std::string& condition = "true") {
    return backend().ask("SELECT count(*) FROM snapshots WHERE table_id = " +
                         std::to_string(table.value) + " AND " + condition);
  }
  std::int64_t events_of_table(TableId table) {
    return backend().ask("SELECT count(*) FROM events WHERE table_id = " +
                         std::to_string(table.value));
  }
  void expect_all(TableId table, Version last) {
    EXPECT_EQ(caller().read(table, Version{1}, 1'000'000), events_of(table, Version{1}, last));
    EXPECT_EQ(caller().last(table).value(), events_of(table, last, last).front());
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, ArchivesContract, testing::ValuesIn(databases()), kind_name);

TEST_P(ArchivesContract, APackedLogIsReadAsBefore) {
  make_over(kTable, Version{50});
  ASSERT_TRUE(archive(kTable, packed(kTable)));
  EXPECT_EQ(events_of_table(kTable), 0);
  EXPECT_EQ(backend().ask("SELECT events FROM archives WHERE table_id = 42"), 50);
  for (int opened = 0; opened < 2; ++opened) {
    expect_all(kTable, Version{50});
    EXPECT_EQ(caller().read(kTable, Version{5}, 3), events_of(kTable, Version{5}, Version{7}));
    EXPECT_EQ(caller().read(kTable, Version{50}, 3), events_of(kTable, Version{50}, Version{50}));
    EXPECT_EQ(caller().read(kTable, Version{51}, 3), std::vector<Entry>{});
    EXPECT_EQ(caller().read(kTable, Version{1000}, 3), std::vector<Entry>{});
    EXPECT_EQ(caller().read(kTable, Version{1}, 0), std::vector<Entry>{});
    reopen();
  }
  EXPECT_EQ(caller().look_at(kTable)->state, TableState::kOver);
}

TEST_P(ArchivesContract, TheNewestEventOfAPackedLogIsReadFirst) {
  make_over(kTable, Version{20});
  ASSERT_TRUE(archive(kTable, packed(kTable)));
  reopen();
  EXPECT_EQ(caller().last(kTable).value(), events_of(kTable, Version{20}, Version{20}).front());
}

TEST_P(ArchivesContract, ALongLogGoesInShares) {
  constexpr std::uint64_t kShare = limits::kArchiveDropMax;
  make_over(kTable, Version{2 * kShare + 10});
  ASSERT_TRUE(archive(kTable, packed(kTable)));
  EXPECT_EQ(events_of_table(kTable), kShare + 10);
  EXPECT_EQ(tasks(), (std::vector{ArchiveTask{kTable, kShare + 10, true}}));
  expect_all(kTable, Version{2 * kShare + 10});
  // What is left is a prefix.
  EXPECT_EQ(backend().ask("SELECT max(version) FROM events"), kShare + 10);
  reopen();
  expect_all(kTable, Version{2 * kShare + 10});
  ASSERT_TRUE(drop(kTable));
  EXPECT_EQ(events_of_table(kTable), 10);
  expect_all(kTable, Version{2 * kShare + 10});
  ASSERT_TRUE(drop(kTable));
  EXPECT_EQ(events_of_table(kTable), 0);
  EXPECT_EQ(tasks(), std::vector<ArchiveTask>{});
  EXPECT_EQ(refusal(drop(kTable)), ErrorCode::kFenced);
  expect_all(kTable, Version{2 * kShare + 10});
}

TEST_P(ArchivesContract, TasksAreTheGamesThatEndedBefore) {
  make_over(kTable, Version{3});
  ASSERT_TRUE(caller().open_table(kOther));
  EXPECT_EQ(tasks(), (std::vector{ArchiveTask{kTable, 3, false}}));
  EXPECT_EQ(backlog(), 1);
  EXPECT_EQ(tasks(kEndedMs), std::vector<ArchiveTask>{});
  ASSERT_TRUE(archive(kTable, packed(kTable)));
  EXPECT_EQ(tasks(), std::vector<ArchiveTask>{});
  EXPECT_EQ(backlog(), 0);
}

TEST_P(ArchivesContract, AClosedTableIsPackedToo) {
  ASSERT_TRUE(caller().open_listed_table(kTable, PlayerId{1}, "2048", false, TableState::kClosed));
  reopen();
  EXPECT_EQ(tasks(), (std::vector{ArchiveTask{kTable, 0, false}}));
  EXPECT_TRUE(archive(kTable, std::nullopt));
  EXPECT_EQ(tasks(), std::vector<ArchiveTask>{});
  EXPECT_EQ(caller().read(kTable), std::vector<Entry>{});
  EXPECT_EQ(caller().last(kTable).value(), std::nullopt);
}

TEST_P(ArchivesContract, SnapshotsAreThinnedOutInTheSameTransaction) {
  make_over(kTable, Version{40});
  make_over(kOther, Version{40});
  add_snapshots(kTable, 40);
  add_snapshots(kOther, 40);
  ASSERT_TRUE(archive(kTable, packed(kTable), 16));
  EXPECT_EQ(snapshots_of(kTable), 2);
  EXPECT_EQ(snapshots_of(kTable, "version IN (16, 32)"), 2);
  EXPECT_EQ(snapshots_of(kTable, "length(marks) > 0"), 0);
  EXPECT_EQ(snapshots_of(kOther, "length(marks) > 0"), 10);
  ASSERT_TRUE(archive(kOther, std::nullopt, 8));
  EXPECT_EQ(snapshots_of(kOther), 5) << "of a log that stays as it is too";
}

TEST_P(ArchivesContract, SnapshotsStayWhereNothingElseIsSaidAndWhereALogIsNotPacked) {
  make_over(kTable, Version{40});
  add_snapshots(kTable, 40);
  auto log = packed(kTable);
  log.events = 39;
  EXPECT_EQ(refusal(archive(kTable, log, 16)), ErrorCode::kFenced);
  EXPECT_EQ(snapshots_of(kTable), 10);
  log.events = 40;
  ASSERT_TRUE(archive(kTable, log, 0));
  EXPECT_EQ(snapshots_of(kTable, "length(marks) > 0"), 10);
}

TEST_P(ArchivesContract, ALogThatCannotBePackedStays) {
  make_over(kTable, Version{3});
  EXPECT_TRUE(archive(kTable, std::nullopt));
  EXPECT_EQ(tasks(), std::vector<ArchiveTask>{});
  EXPECT_EQ(refusal(archive(kTable, packed(kTable))), ErrorCode::kFenced);
  EXPECT_EQ(refusal(drop(kTable)), ErrorCode::kFenced);
  reopen();
  expect_all(kTable, Version{3});
}

TEST_P(ArchivesContract, WhatDoesNotFitIsRefused) {
  make_over(kTable, Version{3});
  auto log = packed(kTable);
  EXPECT_EQ(refusal(archive(TableId{99}, log)), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(drop(TableId{99})), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(drop(kTable)), ErrorCode::kFenced);
  ASSERT_TRUE(caller().open_table(kOther));
  reopen();
  EXPECT_EQ(refusal(archive(kOther, packed(kOther))), ErrorCode::kFenced) << "it is in play";
  log.events = 2;
  EXPECT_EQ(refusal(archive(kTable, log)), ErrorCode::kFenced);
  log.events = 3;
  EXPECT_TRUE(archive(kTable, log));
  EXPECT_EQ(refusal(archive(kTable, log)), ErrorCode::kFenced);
  expect_all(kTable, Version{3});
}

TEST_P(ArchivesContract, TheNextVersionOfAPackedLogIsKnown) {
  make_over(kTable, Version{3});
  ASSERT_TRUE(archive(kTable, packed(kTable)));
  for (int opened = 0; opened < 2; ++opened) {
    EXPECT_EQ(refusal(caller().append(kTable, Version{1})), ErrorCode::kFenced);
    EXPECT_EQ(refusal(caller().append(kTable, Version{3})), ErrorCode::kFenced);
    EXPECT_EQ(refusal(caller().append(kTable, Version{5})), ErrorCode::kFenced);
    reopen();
  }
  EXPECT_TRUE(caller().append(kTable, Version{4}));
  expect_all(kTable, Version{4});
  reopen();
  expect_all(kTable, Version{4});
  EXPECT_EQ(caller().read(kTable, Version{3}, 2), events_of(kTable, Version{3}, Version{4}));
  EXPECT_EQ(caller().read(kTable, Version{4}, 1), events_of(kTable, Version{4}, Version{4}));
}

TEST_P(ArchivesContract, DamageIsReported) {
  make_over(kTable, Version{3});
  ASSERT_TRUE(archive(kTable, packed(kTable)));
  reopen_after("UPDATE archives SET events = events + 1");
  EXPECT_EQ(refusal(caller().read(kTable)), ErrorCode::kCorrupt);
  EXPECT_EQ(refusal(caller().last(kTable)), ErrorCode::kCorrupt);
  reopen_after("DELETE FROM archives");
  EXPECT_EQ(refusal(caller().read(kTable)), ErrorCode::kCorrupt);
}

TEST_P(ArchivesContract, APackedLogGoesWithItsTable) {
  const std::uint64_t last = limits::kArchiveDropMax + 10;
  make_over(kTable, Version{last});
  make_over(kOther, Version{3});
  ASSERT_TRUE(archive(kTable, packed(kTable)));
  EXPECT_EQ(events_of_table(kTable), 10);
  expect_all(kTable, Version{last});
  Removal removal{.tables = {kTable}};
  const auto removed = caller().wait(backend().removals().remove(std::move(removal)));
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->tables, 1);
  EXPECT_EQ(removed->events, 10);
  EXPECT_EQ(refusal(caller().read(kTable)), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(drop(kTable)), ErrorCode::kNotFound);
  EXPECT_EQ(backend().ask("SELECT count(*) FROM archives"), 0);
  EXPECT_EQ(events_of_table(kTable), 0);
  EXPECT_EQ(tasks(), (std::vector{ArchiveTask{kOther, 3, false}}));
}

// A rematch has the id that its game gives it, also after it was deleted.
}  // namespace archives_test
}  // namespace tesela::store
