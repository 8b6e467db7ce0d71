// A disk that refuses: every write of the batch is refused for certain, reads go on, and the store
// recovers when there is room again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <string_view>
#include <thread>
#include <vector>

#include "server/base/limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace full_disk_test {

constexpr TableId kTable{1};

/// Files of this process cannot grow beyond a size: the disk is full to SQLite, and to it alone.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    set(bytes);
  }
  ~FileSizeLimit() { lift(); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  void lift() { set(before_.rlim_cur); }

 private:
  void set(rlim_t bytes) const {
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  rlimit before_{};
};

class FullDisk : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(caller_.open_table(kTable)); }

  /// Appends until the store refuses. The refusal.
  Error fill() {
    while (true) {
      const auto stored = caller_.append(kTable, next(last_));
      if (!stored) return stored.error();
      last_ = next(last_);
    }
  }
  void expect_whole() {
    EXPECT_EQ(caller_.read(kTable, Version{1}, 1'000'000), events_of(kTable, Version{1}, last_));
  }

  ScratchFolder folder_;
  std::unique_ptr<SqliteStore> store_ = open_sqlite(folder_.path());
  Caller caller_{*store_, *store_};
  Version last_{1};
};

TEST_F(FullDisk, AppendsAreRefusedAndReadsGoOn) {
  const FileSizeLimit limit(600'000);
  const Error refusal = fill();
  EXPECT_EQ(refusal.code, ErrorCode::kUnavailable) << refusal.message;
  EXPECT_GT(last_, Version{10});
  EXPECT_EQ(store_->writable().error().code, ErrorCode::kUnavailable);
  expect_whole();
}

TEST_F(FullDisk, TheNextAppendTellsWhenThereIsRoom) {
  FileSizeLimit limit(600'000);
  EXPECT_EQ(fill().code, ErrorCode::kUnavailable);
  EXPECT_EQ(fill().code, ErrorCode::kUnavailable);
  limit.lift();
  ASSERT_TRUE(caller_.append(kTable, next(last_)));
  last_ = next(last_);
  EXPECT_TRUE(store_->writable());
  expect_whole();
}

TEST_F(FullDisk, AProbeTellsWhenThereIsRoom) {
  FileSizeLimit limit(600'000);
  EXPECT_EQ(fill().code, ErrorCode::kUnavailable);
  std::this_thread::sleep_for(limits::kStoreProbeInterval * 3 / 2);
  EXPECT_FALSE(store_->writable());
  limit.lift();
  const auto end = std::chrono::steady_clock::now() + 20 * limits::kStoreProbeInterval;
  while (!store_->writable() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  EXPECT_TRUE(store_->writable());
}

TEST_F(FullDisk, WhatWasRefusedIsNotThereAfterReopening) {
  FileSizeLimit limit(600'000);
  EXPECT_EQ(fill().code, ErrorCode::kUnavailable);
  store_.reset();
  limit.lift();
  store_ = open_sqlite(folder_.path());
  Caller caller(*store_, *store_);
  EXPECT_EQ(caller.read(kTable, Version{1}, 1'000'000), events_of(kTable, Version{1}, last_));
  EXPECT_TRUE(caller.append(kTable, next(last_)));
}

TEST_F(FullDisk, ATableIsAddedWholeOrNotAtAll) {
  FileSizeLimit limit(600'000);
  EXPECT_EQ(fill().code, ErrorCode::kUnavailable);
  EXPECT_EQ(refusal(caller_.open_table(TableId{2})), ErrorCode::kUnavailable);
  EXPECT_EQ(refusal(caller_.claim(*store_, kTable)), ErrorCode::kUnavailable);
  limit.lift();
  EXPECT_EQ(refusal(caller_.look_at(TableId{2})), ErrorCode::kNotFound);
  EXPECT_EQ(caller_.look_at(kTable)->epoch, Epoch{1});
  EXPECT_TRUE(caller_.open_table(TableId{2}));
  EXPECT_TRUE(caller_.append(TableId{2}, Version{2}));
  EXPECT_EQ(caller_.claim(*store_, kTable), Epoch{2});
}

TEST_F(FullDisk, IsToldOfOnceAndOnceWhenItIsOver) {
  store_.reset();
  int errors = 0;
  std::vector<Expected<void>> told;
  auto opened = SqliteStore::open(
      {.folder = folder_.path(),
       .on_error =
           [&](std::string_view operation) {
             EXPECT_EQ(operation, "write");
             ++errors;
           },
       .on_health_change = [&](const Expected<void>& writable) { told.push_back(writable); }});
  ASSERT_TRUE(opened);
  store_ = std::move(*opened);
  caller_ = Caller(*store_, *store_);
  FileSizeLimit limit(600'000);
  fill();
  fill();
  EXPECT_THAT(store_->writable().error().message, testing::HasSubstr("cannot write its database"));
  limit.lift();
  ASSERT_TRUE(caller_.append(kTable, next(last_)));
  store_->close();
  EXPECT_GE(errors, 2);
  ASSERT_EQ(told.size(), 2);
  EXPECT_EQ(refusal(told.front()), ErrorCode::kUnavailable);
  EXPECT_TRUE(told.back());
}

TEST_F(FullDisk, ALogWithoutRoomHasNoLengthFromTheStart) {
  store_.reset();
  const FileSizeLimit limit(600'000);
  store_ = open_sqlite(folder_.path());
  EXPECT_LT(std::filesystem::file_size(folder_.path() / "tesela.db-wal"), 600'000);
  caller_ = Caller(*store_, *store_);
  EXPECT_TRUE(caller_.append(kTable, next(last_)));
}

// Batches fail after their share of settling: what they had copied is copied again.
TEST_F(FullDisk, SettlingGoesOnWhereItWas) {
  constexpr std::uint64_t kTables = 128;
  for (std::uint64_t id = 2; id <= kTables; ++id) ASSERT_TRUE(caller_.open_table(TableId{id}));
  const Version gathered{limits::kStoreRecentMax / kTables + 1};
  ASSERT_EQ(caller_.append_to_all(kTables, Version{2}, gathered), 0);
  {
    const FileSizeLimit limit(600'000);  // the write-ahead log is beyond it
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(caller_.append_to_all(kTables, next(gathered), next(gathered)), kTables);
    }
  }
  const Version settled{2 * gathered.value};
  EXPECT_EQ(caller_.append_to_all(kTables, next(gathered), settled), 0);
  store_.reset();
  store_ = open_sqlite(folder_.path());
  Caller caller(*store_, *store_);
  for (std::uint64_t id = 1; id <= kTables; ++id) {
    const auto log = caller.read(TableId{id}, Version{1}, 1'000'000);
    EXPECT_EQ(log, events_of(TableId{id}, Version{1}, settled)) << id;
  }
}

}  // namespace full_disk_test
}  // namespace tesela::store
