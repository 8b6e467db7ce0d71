#include "server/store/sqlite/write_queue.h"

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

/// Threads that bring writes are contexts here: what one still has to do is done when it is polled.
class WriteQueueTest : public testing::Test {
 protected:
  void TearDown() override { queue_.close(); }

  void push(io_context& thread) {
    Write write{.request = Append{}, .executor = thread.get_executor(), .resume = {}};
    ASSERT_TRUE(queue_.push(write));
  }
  /// Takes the next batch, on a thread of its own. Its size; 0 when the queue is closed.
  std::future<std::size_t> take() {
    return std::async(std::launch::async, [this] {
      const auto batch = queue_.take(std::nullopt);
      return batch ? batch->size() : 0;
    });
  }
  static void finish_round(io_context& thread) {
    thread.restart();
    thread.poll();
  }
  static bool waits(const std::future<std::size_t>& taken) {
    return taken.wait_for(kLong) == std::future_status::timeout;
  }

  WriteQueue queue_;
  io_context one_;
  io_context other_;
};

TEST_F(WriteQueueTest, WhatComesInARoundIsTakenTogether) {
  auto taken = take();
  push(one_);
  EXPECT_TRUE(waits(taken));
  push(one_);
  finish_round(one_);
  EXPECT_EQ(taken.get(), 2U);
}

TEST_F(WriteQueueTest, NobodyWaitsForAnotherThread) {
  push(one_);
  push(other_);
  finish_round(other_);
  EXPECT_EQ(take().get(), 2U);
}

TEST_F(WriteQueueTest, AnEarlierRoundEndsNoLaterOne) {
  push(one_);
  push(other_);
  finish_round(other_);
  EXPECT_EQ(take().get(), 2U);
  push(other_);
  auto taken = take();
  finish_round(one_);
  EXPECT_TRUE(waits(taken));
  finish_round(other_);
  EXPECT_EQ(taken.get(), 1U);
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
  EXPECT_EQ(take().get(), 1U);
  EXPECT_EQ(take().get(), 0U);
}

}  // namespace
}  // namespace tesela::store
