// Work in the background of a loop, and its end.
#include "server/base/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstdint>
#include <stdexcept>

#include "server/base/io_pool.h"

namespace tesela::base {
namespace {

namespace asio = boost::asio;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Counts its rounds, with a pause after each or an exception, and takes some time to end.
class Counter final : public Worker {
 public:
  enum class Pauses : std::uint8_t { kUntilStop, kUntilWoken, kNever };

  Counter(Loop& loop, Pauses pauses) : Worker(loop, "count"), pauses_(pauses) {}

  using Worker::wake;
  void wait_for(int number) const {
    while (rounds < number) rounds.wait(rounds);
  }

  std::atomic<int> rounds{0};
  std::atomic<bool> ended{false};

 private:
  asio::awaitable<void> run() override {
    while (!stopping()) {
      ++rounds;
      rounds.notify_all();
      if (pauses_ == Pauses::kNever) throw std::runtime_error("a mistake");
      const auto now = steady_clock::now();
      if (pauses_ == Pauses::kUntilStop) co_await pause(1h);
      if (pauses_ == Pauses::kUntilWoken) co_await pause_between(now, now + 1h);
    }
    for (int i = 0; i < 100; ++i) co_await asio::post(asio::use_awaitable);
    ended = true;
  }

  const Pauses pauses_;
};

class WorkerTest : public testing::Test {
 protected:
  void SetUp() override { pool_.run(); }
  void TearDown() override {
    pool_.stop();
    pool_.join();
  }
  void stop(Worker& worker) { asio::co_spawn(pool_.at(1), worker.stop(), asio::use_future).get(); }

  IoPool pool_{2};
  Counter pauses_{pool_.at(0), Counter::Pauses::kUntilStop};
  Counter listens_{pool_.at(0), Counter::Pauses::kUntilWoken};
  Counter throws_{pool_.at(0), Counter::Pauses::kNever};
};

TEST_F(WorkerTest, StopEndsThePauseAndWaitsForTheEnd) {
  pauses_.start();
  pauses_.wait_for(1);
  stop(pauses_);
  EXPECT_TRUE(pauses_.ended);
  EXPECT_EQ(pauses_.rounds, 1);
  stop(pauses_);
}

TEST_F(WorkerTest, AWakeEndsThePauseForItAndNoOther) {
  listens_.start();
  for (int round = 1; round < 100; ++round) {
    listens_.wait_for(round);
    listens_.wake();
  }
  listens_.wait_for(100);
  stop(listens_);
  EXPECT_TRUE(listens_.ended);
  pauses_.start();
  pauses_.wait_for(1);
  pauses_.wake();
  stop(pauses_);
  EXPECT_EQ(pauses_.rounds, 1);
}

TEST_F(WorkerTest, OneThatHasThrownOrWasNotStartedHasEnded) {
  stop(pauses_);
  EXPECT_FALSE(pauses_.ended);
  throws_.start();
  throws_.wait_for(1);
  stop(throws_);
  EXPECT_EQ(throws_.rounds, 1);
}

}  // namespace
}  // namespace tesela::base
