// What only a writer with group commit promises: batches, their answers, the bounds of its queue.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/store/sqlite/write/write.h"
#include "server/store/sqlite/write/write_queue.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace group_commit_test {

constexpr TableId kTable{1};
constexpr TableId kOther{2};
constexpr TableId kUnknown{3};

/// A store whose writer can be made to wait after a commit, so that a test decides what gathers in
/// the next batch.
class GroupCommit : public testing::Test {
 protected:
  void SetUp() override {
    Caller caller(*store_, *store_);
    ASSERT_TRUE(caller.open_table(kTable));
    ASSERT_TRUE(caller.open_table(kOther));
  }
  void TearDown() override { release_writer(); }

  /// Gives the writer one append and makes it wait after that one's commit.
  void park_writer() {
    {
      const std::scoped_lock lock(mutex_);
      held_ = true;
      batches_.clear();
    }
    post_append(kUnknown, Version{1});
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !batches_.empty(); });
  }
  void release_writer() {
    {
      const std::scoped_lock lock(mutex_);
      held_ = false;
    }
    changed_.notify_all();
  }
  /// Begins an append. Its answer goes to `answers_`.
  void post_append(TableId table, Version version, Epoch epoch = Epoch{1}) {
    boost::asio::co_spawn(io_, append(table, version, epoch), boost::asio::detached);
    io_.poll();
  }
  /// Begins to add a player.
  void post_player(PlayerId id) {
    boost::asio::co_spawn(io_, add_player(id), boost::asio::detached);
    io_.poll();
  }
  /// Runs until every answer is there.
  void collect_answers() {
    io_.restart();
    io_.run();
  }
  /// The sizes of the batches since the writer was parked.
  std::vector<std::size_t> batches() {
    const std::scoped_lock lock(mutex_);
    return batches_;
  }

  using Answer = std::optional<ErrorCode>;
  std::vector<Answer> answers_;
  ScratchFolder folder_;

 private:
  boost::asio::awaitable<void> add_player(PlayerId id) {
    PlayerRow player{.id = id, .display_name = "Ada"};
    answers_.push_back(refusal(co_await store_->add_player(std::move(player))));
  }
  boost::asio::awaitable<void> append(TableId table, Version version, Epoch epoch) {
    Append append{
        .table = table, .epoch = epoch, .version = version, .record = record_of(table, version)};
    answers_.push_back(refusal(co_await store_->append(std::move(append))));
  }
  void on_commit(const CommitReport& report) {
    std::unique_lock lock(mutex_);
    batches_.push_back(report.writes);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_{false};
  std::vector<std::size_t> batches_;
  boost::asio::io_context io_;

 protected:
  std::unique_ptr<SqliteStore> store_ =
      open_sqlite(folder_.path(), [this](const CommitReport& report) { on_commit(report); });
};

TEST_F(GroupCommit, WhatGathersIsOneTransaction) {
  park_writer();
  for (Version version{2}; version <= Version{501}; version = next(version)) {
    post_append(kTable, version);
  }
  EXPECT_EQ(store_->writes_waiting(), 500);
  release_writer();
  collect_answers();
  EXPECT_EQ(batches(), (std::vector<std::size_t>{1, 500}));
  EXPECT_EQ(store_->writes_waiting(), 0);
  Caller caller(*store_, *store_);
  EXPECT_EQ(caller.read(kTable), events_of(kTable, Version{1}, Version{501}));
}

TEST_F(GroupCommit, ABatchIsBounded) {
  park_writer();
  const std::size_t count = 2 * limits::kStoreBatchMax + 10;
  for (Version version{2}; version < Version{2 + count}; version = next(version)) {
    post_append(kTable, version);
  }
  release_writer();
  collect_answers();
  const std::vector<std::size_t> expected{1, limits::kStoreBatchMax, limits::kStoreBatchMax, 10};
  EXPECT_EQ(batches(), expected);
  EXPECT_EQ(std::ranges::count(answers_, Answer{}), count);
}

TEST_F(GroupCommit, AMoveDoesNotWaitBehindTheLobby) {
  park_writer();
  constexpr std::size_t kPlayers = 3 * limits::kStoreBatchOthersMax;
  for (std::uint64_t id = 1000; id < 1000 + kPlayers; ++id) post_player(PlayerId{id});
  post_append(kUnknown, Version{1});
  release_writer();
  collect_answers();
  const std::size_t others = limits::kStoreBatchOthersMax;
  EXPECT_EQ(batches(), (std::vector{std::size_t{1}, 1 + others, others, others}));
  // The one refused first is what parked the writer.
  ASSERT_EQ(answers_.size(), kPlayers + 2);
  EXPECT_EQ(answers_[1], ErrorCode::kNotFound);
}

TEST_F(GroupCommit, ARefusedWriteDoesNotHurtItsBatch) {
  park_writer();
  post_append(kTable, Version{2});
  post_append(kTable, Version{2});
  post_append(kOther, Version{5});
  post_append(kUnknown, Version{1});
  post_append(kTable, Version{3}, Epoch{7});
  post_append(kTable, Version{3});
  post_append(kOther, Version{2});
  release_writer();
  collect_answers();
  const Answer fine;
  const Answer fenced = ErrorCode::kFenced;
  const Answer unknown = ErrorCode::kNotFound;
  EXPECT_EQ(answers_, (std::vector{unknown, fine, fenced, fenced, unknown, fenced, fine, fine}));
  EXPECT_EQ(batches(), (std::vector<std::size_t>{1, 7}));
  Caller caller(*store_, *store_);
  EXPECT_EQ(caller.read(kTable), events_of(kTable, Version{1}, Version{3}));
  EXPECT_EQ(caller.read(kOther), events_of(kOther, Version{1}, Version{2}));
}

TEST_F(GroupCommit, AFullQueueRefuses) {
  park_writer();
  for (std::size_t i = 0; i < limits::kStoreQueueMax + 3; ++i) post_append(kUnknown, Version{1});
  EXPECT_EQ(store_->writes_waiting(), limits::kStoreQueueMax);
  EXPECT_EQ(answers_, std::vector<Answer>(3, ErrorCode::kUnavailable));
  release_writer();
  collect_answers();
  EXPECT_EQ(answers_.size(), limits::kStoreQueueMax + 4);
  EXPECT_EQ(std::ranges::count(answers_, Answer{ErrorCode::kUnavailable}), 3);
}

TEST_F(GroupCommit, ClosingFinishesWhatWaits) {
  park_writer();
  for (Version version{2}; version <= Version{100}; version = next(version)) {
    post_append(kTable, version);
  }
  release_writer();
  store_->close();
  post_append(kTable, Version{101});
  collect_answers();
  EXPECT_EQ(std::ranges::count(answers_, Answer{}), 99);
  EXPECT_EQ(answers_.back(), ErrorCode::kUnavailable);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "tesela.db-journal"));
  store_.reset();
  const auto again = open_sqlite(folder_.path());
  Caller caller(*again, *again);
  EXPECT_EQ(caller.read(kTable), events_of(kTable, Version{1}, Version{100}));
}

TEST_F(GroupCommit, AClosedStoreRefusesReads) {
  store_->close();
  Caller caller(*store_, *store_);
  EXPECT_EQ(refusal(caller.read(kTable)), ErrorCode::kUnavailable);
  EXPECT_EQ(refusal(caller.look_at(kTable)), ErrorCode::kUnavailable);
}

/// A batch without a writer: every answer is noted with the executor that gave it.
class RepliesTest : public testing::Test {
 protected:
  void add(boost::asio::io_context& io, std::uint64_t number) {
    batch_.push_back({.request = Claim{},
                      .caller = base::Continuation(io.get_executor()),
                      .resume = [this, &io, number](Expected<void> outcome) {
                        EXPECT_TRUE(outcome);
                        EXPECT_TRUE(io.get_executor().running_in_this_thread());
                        answered_.push_back(number);
                        if (number == throws_) throw std::runtime_error("a caller's own");
                      }});
  }

  boost::asio::io_context first_;
  boost::asio::io_context second_;
  std::vector<Write> batch_;
  std::vector<std::uint64_t> answered_;
  std::uint64_t throws_{0};
};

TEST_F(RepliesTest, EachExecutorIsWokenOnce) {
  for (std::uint64_t number = 1; number <= 6; ++number) {
    add(number % 2 == 0 ? second_ : first_, number);
  }
  reply(batch_);
  EXPECT_EQ(answered_, std::vector<std::uint64_t>{});
  EXPECT_EQ(first_.poll(), 1);
  EXPECT_EQ(answered_, (std::vector<std::uint64_t>{1, 3, 5}));
  EXPECT_EQ(second_.poll(), 1);
  EXPECT_EQ(answered_, (std::vector<std::uint64_t>{1, 3, 5, 2, 4, 6}));
}

TEST_F(RepliesTest, ACallerThatThrowsDoesNotSilenceTheOthers) {
  for (std::uint64_t number = 1; number <= 3; ++number) add(first_, number);
  throws_ = 2;
  reply(batch_);
  EXPECT_THROW(first_.poll(), std::runtime_error);
  first_.poll();
  EXPECT_EQ(answered_, (std::vector<std::uint64_t>{1, 2, 3}));
}

}  // namespace group_commit_test
}  // namespace tesela::store
