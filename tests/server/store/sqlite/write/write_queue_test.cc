#include "server/store/sqlite/write/write_queue.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <future>

namespace tesela::store {
namespace {

using boost::asio::io_context;
using std::chrono::milliseconds;

constexpr milliseconds kLong{50};
constexpr milliseconds kTooLong{20'000};

/// Threads that bring writes are contexts here: what one still has to do is done when it is polled.
class WriteQueueTest : public testing::Test {
 protected:
  ~WriteQueueTest() override { queue_.close(); }

  void push(io_context& thread) {
    Write write{
        .request = Append{}, .caller = base::Continuation(thread.get_executor()), .resume = {}};
    ASSERT_TRUE(queue_.push(write));
  }
  /// Begins to take the next batch, on a thread of its own.
  void begin_to_take() {
    taken_ = std::async(std::launch::async, [this] {
      const auto batch = queue_.take(std::nullopt);
      return batch ? batch->size() : 0;
    });
  }
  /// The size of the batch that has been begun; 0 when the queue is closed.
  std::size_t taken() {
    if (taken_.wait_for(kTooLong) == std::future_status::timeout) {
      ADD_FAILURE() << "The queue gives nothing.";
      queue_.close();
    }
    return taken_.get();
  }
  std::size_t take() {
    begin_to_take();
    return taken();
  }
  static void finish_round(io_context& thread) {
    thread.restart();
    thread.poll();
  }
  [[nodiscard]] bool waits() const { return taken_.wait_for(kLong) == std::future_status::timeout; }

  WriteQueue queue_;
  std::future<std::size_t> taken_;  // waits for its thread when it goes, before the queue
  io_context one_;
  io_context other_;
};

TEST_F(WriteQueueTest, WhatComesInARoundIsTakenTogether) {
  begin_to_take();
  push(one_);
  EXPECT_TRUE(waits());
  push(one_);
  finish_round(one_);
  EXPECT_EQ(taken(), 2U);
}

TEST_F(WriteQueueTest, NobodyWaitsForAnotherThread) {
  push(one_);
  push(other_);
  finish_round(other_);
  EXPECT_EQ(take(), 2U);
}

TEST_F(WriteQueueTest, AnEarlierRoundEndsNoLaterOne) {
  push(one_);
  push(other_);
  finish_round(other_);
  EXPECT_EQ(take(), 2U);
  push(other_);
  begin_to_take();
  finish_round(one_);
  EXPECT_TRUE(waits());
  finish_round(other_);
  EXPECT_EQ(taken(), 1U);
}

TEST_F(WriteQueueTest, AConsumerThatDoesNotWaitForEverTakesWhatIsThere) {
  push(one_);
  const auto batch = queue_.take(kLong);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->size(), 1U);
  finish_round(one_);
  const auto nothing = queue_.take(milliseconds{1});
  ASSERT_TRUE(nothing);
  EXPECT_TRUE(nothing->empty());
}

TEST_F(WriteQueueTest, ClosingEndsARound) {
  push(one_);
  queue_.close();
  EXPECT_EQ(take(), 1U);
  EXPECT_EQ(take(), 0U);
}

}  // namespace
}  // namespace tesela::store
