#include "server/base/loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_future.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/io_pool.h"

namespace tesela::base {
namespace {

namespace asio = boost::asio;

/// Two loops, each with its thread.
class LoopTest : public testing::Test {
 protected:
  void SetUp() override { pool_.run(); }
  void TearDown() override {
    pool_.stop();
    pool_.join();
  }

  Loop& here() { return pool_.at(0); }
  Loop& there() { return pool_.at(1); }
  /// What `work` gives when it runs on the first loop.
  template <class T>
  T result_of(asio::awaitable<T> work) {
    return asio::co_spawn(here(), std::move(work), asio::use_future).get();
  }

  IoPool pool_{2};
};

TEST_F(LoopTest, RunsOnItsThreadInTheOrderOfEachThatHandsOver) {
  constexpr int kThreads = 4;
  constexpr int kTasks = 20'000;
  std::vector<std::vector<int>> seen(kThreads);
  std::atomic<int> wrong_thread = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int task = 0; task < kTasks; ++task) {
        here().hand_over([&, thread, task] {
          if (Loop::current() != &here()) ++wrong_thread;
          seen[static_cast<std::size_t>(thread)].push_back(task);
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto nothing = []() -> asio::awaitable<bool> { co_return true; };
  EXPECT_TRUE(asio::co_spawn(there(), here().call(nothing()), asio::use_future).get());
  EXPECT_EQ(wrong_thread, 0);
  for (const auto& tasks : seen) {
    ASSERT_EQ(tasks.size(), static_cast<std::size_t>(kTasks));
    EXPECT_TRUE(std::ranges::is_sorted(tasks));
  }
}

TEST_F(LoopTest, ACallRunsThereAndItsCallerGoesOnHere) {
  const auto work = [this]() -> asio::awaitable<int> {
    EXPECT_EQ(Loop::current(), &there());
    co_return 7;
  };
  const auto caller = [&]() -> asio::awaitable<int> {
    EXPECT_EQ(Loop::current(), &here());
    const int given = co_await there().call(work());
    EXPECT_EQ(Loop::current(), &here());
    co_return given;
  };
  EXPECT_EQ(result_of(caller()), 7);
}

TEST_F(LoopTest, ACallOnTheSameLoopAndOneWithoutAValue) {
  int runs = 0;
  const auto work = [&]() -> asio::awaitable<void> {
    ++runs;
    co_return;
  };
  const auto caller = [&]() -> asio::awaitable<bool> {
    co_await here().call(work());
    co_await there().call(work());
    co_return true;
  };
  EXPECT_TRUE(result_of(caller()));
  EXPECT_EQ(runs, 2);
}

TEST_F(LoopTest, WhatACallThrowsReachesItsCaller) {
  const auto work = []() -> asio::awaitable<int> {
    throw std::runtime_error("broken");
    co_return 1;
  };
  const auto caller = [&]() -> asio::awaitable<std::string> {
    try {
      co_await there().call(work());
    } catch (const std::runtime_error& error) {
      co_return error.what();
    }
    co_return "";
  };
  EXPECT_EQ(result_of(caller()), "broken");
}

TEST_F(LoopTest, AContinuationOfAnotherContextIsPosted) {
  asio::io_context plain;
  const Continuation here(plain.get_executor());
  bool ran = false;
  here.post([&] { ran = true; });
  EXPECT_FALSE(ran);
  plain.run();
  EXPECT_TRUE(ran);
}

TEST(LoopEndTest, FinishLetsWhatWasHandedOverRun) {
  IoPool pool(1);
  int runs = 0;
  for (int i = 0; i < 3; ++i) pool.at(0).hand_over([&] { ++runs; });
  pool.run();
  pool.join();
  EXPECT_EQ(runs, 3);
}

TEST(LoopEndTest, WhatDidNotRunIsDroppedWithItsLoop) {
  const auto held = std::make_shared<int>(1);
  {
    Loop loop;
    for (int i = 0; i < 3; ++i) loop.hand_over([held] {});
    EXPECT_EQ(held.use_count(), 4);
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(LoopEndTest, ATaskThatThrowsLeavesTheOthersToTheNextRun) {
  Loop loop;
  int runs = 0;
  loop.hand_over([&] { ++runs; });
  loop.hand_over([] { throw std::runtime_error("broken"); });
  loop.hand_over([&] { ++runs; });
  loop.finish();
  EXPECT_THROW(loop.run(), std::runtime_error);
  EXPECT_EQ(runs, 1);
  loop.run();
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(Loop::current(), nullptr);
}

TEST(LoopEndTest, WhatIsHandedOverAfterATaskHasThrownRunsToo) {
  Loop loop;
  int runs = 0;
  loop.hand_over([] { throw std::runtime_error("broken"); });
  loop.hand_over([&] { ++runs; });
  EXPECT_THROW(loop.run(), std::runtime_error);
  loop.hand_over([&] { ++runs; });  // its wake-up is read together with that of the one before
  loop.finish();
  loop.run();
  EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace tesela::base
