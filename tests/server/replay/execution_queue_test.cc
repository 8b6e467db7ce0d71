// The order in which logs are executed when many wait.
#include "server/replay/execution_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "server/base/scale_limits.h"

namespace tesela::replay {
namespace {

using boost::asio::awaitable;
using testing::ElementsAre;
using testing::ElementsAreArray;

class ExecutionQueueTest : public testing::Test {
 protected:
  /// Somebody comes; when it is their turn, their number is added to `began_`, and the turn is
  /// kept.
  void come(std::uint64_t number, Urgency urgency) { come_to(queue_, number, urgency); }
  void come_to(ExecutionQueue& queue, std::uint64_t number, Urgency urgency) {
    boost::asio::co_spawn(io_, run(queue, number, urgency), boost::asio::detached);
    settle();
  }
  awaitable<void> run(ExecutionQueue& queue, std::uint64_t number, Urgency urgency) {
    auto turn = co_await queue.enter(urgency, TableId{number});
    if (turn) {
      began_.push_back(number);
      turns_.push_back(std::move(*turn));
    } else {
      refused_.push_back(turn.error().code);
      refused_tables_.push_back(number);
    }
  }
  /// Not `run`, which would wait for those who wait.
  void settle() {
    io_.restart();
    io_.poll();
  }
  /// The execution that has begun first ends.
  void end_one() {
    turns_.erase(turns_.begin());
    settle();
  }
  /// All of them end, one after the other.
  void end_all() {
    while (!turns_.empty()) end_one();
  }

  boost::asio::io_context io_;
  std::vector<std::uint64_t> began_;
  std::vector<ErrorCode> refused_;
  std::vector<std::uint64_t> refused_tables_;
  std::vector<ExecutionQueue::Turn> turns_;
  ExecutionQueue queue_{1, 100};
};

TEST_F(ExecutionQueueTest, PlayersComeBeforeThoseWhoWatchAndThoseBeforeGamesThatAreOver) {
  come(1, Urgency::kEnded);
  come(2, Urgency::kEnded);
  come(3, Urgency::kBots);
  come(4, Urgency::kSpectator);
  come(5, Urgency::kPlayer);
  come(6, Urgency::kCommand);
  EXPECT_THAT(began_, ElementsAre(1));
  EXPECT_EQ(queue_.waiting(), 5);
  end_all();
  EXPECT_THAT(began_, ElementsAre(1, 6, 5, 4, 3, 2));
  EXPECT_EQ(queue_.waiting(), 0);
}

TEST_F(ExecutionQueueTest, OfTheSameUrgencyTheFirstBegins) {
  for (std::uint64_t number = 1; number <= 5; ++number) come(number, Urgency::kPlayer);
  end_all();
  EXPECT_THAT(began_, ElementsAre(1, 2, 3, 4, 5));
}

TEST_F(ExecutionQueueTest, WhoHasWaitedLongestBeginsNowAndThen) {
  come(1, Urgency::kPlayer);
  come(2, Urgency::kEnded);
  std::vector<std::uint64_t> expected{1};
  for (std::uint64_t number = 10; number < 10 + 2 * limits::kExecutionsPerOldest; ++number) {
    come(number, Urgency::kPlayer);
    if (number == 10 + limits::kExecutionsPerOldest - 1) expected.push_back(2);
    expected.push_back(number);
  }
  end_all();
  EXPECT_THAT(began_, ElementsAreArray(expected));
}

TEST_F(ExecutionQueueTest, APlayerWhoComesLaterHurriesTheTableThatIsWaitedFor) {
  come(1, Urgency::kPlayer);
  come(2, Urgency::kPlayer);
  come(3, Urgency::kSpectator);
  come(4, Urgency::kSpectator);
  come(5, Urgency::kPlayer);
  queue_.hurry(TableId{4}, Urgency::kPlayer);
  queue_.hurry(TableId{2}, Urgency::kEnded);    // no slower than before
  queue_.hurry(TableId{99}, Urgency::kPlayer);  // nobody waits for it
  end_all();
  EXPECT_THAT(began_, ElementsAre(1, 2, 4, 5, 3));
}

TEST_F(ExecutionQueueTest, NoMoreRunAtOnceThanMay) {
  ExecutionQueue two(2, 100);
  for (std::uint64_t number = 1; number <= 5; ++number) come_to(two, number, Urgency::kPlayer);
  EXPECT_EQ(began_.size(), 2);
  end_one();
  EXPECT_EQ(began_.size(), 3);
  end_all();
  EXPECT_EQ(began_.size(), 5);
}

TEST_F(ExecutionQueueTest, TooManyAreRefused) {
  for (std::uint64_t number = 0; number <= 100; ++number) come(number, Urgency::kPlayer);
  EXPECT_TRUE(refused_.empty());
  come(200, Urgency::kPlayer);
  EXPECT_THAT(refused_, ElementsAre(ErrorCode::kUnavailable));
  end_all();
  EXPECT_EQ(began_.size(), 101);
}

TEST_F(ExecutionQueueTest, OfTooManyTheLeastUrgentIsRefused) {
  ExecutionQueue three(1, 3);
  come_to(three, 1, Urgency::kEnded);
  come_to(three, 2, Urgency::kEnded);
  come_to(three, 3, Urgency::kBots);
  come_to(three, 4, Urgency::kEnded);
  come_to(three, 5, Urgency::kPlayer);
  EXPECT_THAT(refused_tables_, ElementsAre(4)) << "the last of those at games that are over";
  come_to(three, 6, Urgency::kPlayer);
  EXPECT_THAT(refused_tables_, ElementsAre(4, 2));
  come_to(three, 7, Urgency::kBots);
  EXPECT_THAT(refused_tables_, ElementsAre(4, 2, 7)) << "nobody less urgent waits";
  come_to(three, 8, Urgency::kCommand);
  EXPECT_THAT(refused_tables_, ElementsAre(4, 2, 7, 3));
  EXPECT_EQ(three.waiting(), 3);
  end_all();
  EXPECT_THAT(began_, ElementsAre(1, 8, 5, 6));
  EXPECT_EQ(three.waiting(), 0);
}

TEST_F(ExecutionQueueTest, ATurnMayEndAfterTheQueue) {
  std::optional<ExecutionQueue> queue(std::in_place, 1, 10);
  come_to(*queue, 1, Urgency::kPlayer);
  come_to(*queue, 2, Urgency::kPlayer);
  queue.reset();
  end_all();
  EXPECT_THAT(began_, ElementsAre(1));
}

}  // namespace
}  // namespace tesela::replay
