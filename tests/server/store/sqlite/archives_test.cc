// Packed logs on SQLite, beside events that are not compacted yet.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/archive/packed_log.h"
#include "server/store/sqlite/database/connection.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace sqlite_archives_test {

constexpr TableId kTable{42};
constexpr std::int64_t kEndedMs = 5000;
constexpr std::int64_t kLater = kEndedMs + 1;

class SqliteArchives : public testing::Test {
 protected:
  /// Closes the store.
  void close() {
    caller_.reset();
    store_.reset();
  }
  /// Opens what it left: all events are compacted then.
  void open() {
    store_ = open_sqlite(folder_.path());
    caller_.emplace(*store_, *store_);
  }
  Caller& caller() { return *caller_; }

  /// A game of so many events, over and recent.
  void make_over(Version last) {
    ASSERT_TRUE(caller().open_table(kTable));
    for (Version version{2}; version < last; version = next(version)) {
      ASSERT_TRUE(caller().append(kTable, version));
    }
    ASSERT_TRUE(caller().end(kTable, last, {.result = "r", .ended_ms = kEndedMs}));
  }
  archive::PackedLog packed() {
    archive::RecordList records;
    const auto entries = caller().read(kTable);
    for (const Entry& entry : *entries) {
      records.add(entry.record);
    }
    return archive::pack(records).value();
  }
  Expected<void> archive(std::optional<archive::PackedLog> log) {
    return caller().wait(store_->archive(kTable, std::move(log), 0));
  }
  std::vector<ArchiveTask> tasks() {
    return caller().wait(store_->archive_tasks(kLater, 100)).value();
  }
  std::uint64_t backlog() { return caller().wait(store_->archive_backlog(kLater)).value(); }
  std::int64_t ask_sql(const std::string& sql) {
    return Connection(folder_.path() / "tesela.db", Connection::Access::kReadOnly).number(sql);
  }
  void run_sql(const std::string& sql) {
    Connection(folder_.path() / "tesela.db", Connection::Access::kReadWrite).run(sql);
  }
  void expect_all(Version last) {
    EXPECT_EQ(caller().read(kTable), events_of(kTable, Version{1}, last));
    EXPECT_EQ(caller().last(kTable).value(), events_of(kTable, last, last).front());
  }

  ScratchFolder folder_;
  std::unique_ptr<SqliteStore> store_ = open_sqlite(folder_.path());
  std::optional<Caller> caller_{std::in_place, *store_, *store_};
};

TEST_F(SqliteArchives, ATableWithRecentEventsWaits) {
  make_over(Version{2});
  const auto log = packed();
  EXPECT_EQ(refusal(archive(log)), ErrorCode::kFenced);
  EXPECT_EQ(refusal(archive(std::nullopt)), ErrorCode::kFenced);
  EXPECT_EQ(backlog(), 1);
  EXPECT_EQ(tasks(), std::vector<ArchiveTask>{});
  while (tasks().empty())
    std::this_thread::sleep_for(
        std::chrono::milliseconds{1});  // a search hurries what it waits for
  EXPECT_TRUE(archive(log));
  expect_all(Version{2});
}

// Events stay in `recent_events` for a while after they were compacted.
TEST_F(SqliteArchives, WhatWasPackedDoesNotComeBackAtTheNextStart) {
  make_over(Version{3});
  close();
  open();
  ASSERT_TRUE(archive(packed()));
  close();
  run_sql("INSERT INTO recent_events VALUES (1, 42, 2, x'01'), (2, 42, 3, x'02')");
  EXPECT_EQ(ask_sql("SELECT count(*) FROM log"), 0);
  open();
  EXPECT_EQ(ask_sql("SELECT count(*) FROM events"), 0);
  expect_all(Version{3});
}

}  // namespace sqlite_archives_test
}  // namespace tesela::store
