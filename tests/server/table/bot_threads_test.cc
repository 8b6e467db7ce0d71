// The threads that strategies think on.
#include "server/bots/bot_threads.h"

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/limits.h"

namespace tesela::tables {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

class BotThreadsTest : public testing::Test {
 protected:
  static constexpr milliseconds kTime{40};

  /// A task that answers with what `think` gives.
  static bots::BotThreads::Task task(games::SearchTask search,
                                     std::promise<games::BotReply>& answer,
                                     std::stop_token stop = {}) {
    return {.search = std::move(search),
            .stop = std::move(stop),
            .answer = [&answer](games::BotReply reply) { answer.set_value(std::move(reply)); }};
  }

  metrics::Metrics metrics{"test"};
  bots::BotThreads threads{{.threads = 1, .time_max = kTime}, metrics};
};

TEST_F(BotThreadsTest, AQuestionIsAnsweredWithDiceAndTheWholeTime) {
  std::promise<games::BotReply> answer;
  microseconds given{};
  ASSERT_TRUE(threads.ask(task(
      [&given](Rng& rng, const Budget& budget) {
        static_cast<void>(rng.word());
        given = budget.time;
        return games::BotReply{.strategy = "s", .move = "m", .value = 1, .measure = {}};
      },
      answer)));
  EXPECT_EQ(answer.get_future().get().move, "m");
  EXPECT_EQ(given, kTime);
}

TEST_F(BotThreadsTest, WhoWaitsGetsAShareOfTheTimeButNotLessThanTheLeast) {
  std::latch all_asked(1);
  std::vector<microseconds> given;
  std::vector<std::promise<games::BotReply>> answers(40);
  for (auto& answer : answers) {
    ASSERT_TRUE(threads.ask(task(
        [&](Rng&, const Budget& budget) {
          all_asked.wait();
          given.push_back(budget.time);
          return games::BotReply{};
        },
        answer)));
  }
  all_asked.count_down();
  for (auto& answer : answers) answer.get_future().get();
  // 38 others waited behind the second, none behind the last.
  EXPECT_EQ(given[1], limits::kThinkTimeMin);
  EXPECT_EQ(given[answers.size() - 2], kTime / 2);
  EXPECT_EQ(given.back(), kTime);
}

TEST_F(BotThreadsTest, WhatWasStoppedIsNotBegunAndNotAnswered) {
  std::latch stopped(1);
  std::promise<games::BotReply> first;
  ASSERT_TRUE(threads.ask(task(
      [&stopped](Rng&, const Budget&) {
        stopped.wait();
        return games::BotReply{};
      },
      first)));
  std::stop_source source;
  bool begun = false;
  std::promise<games::BotReply> never;
  ASSERT_TRUE(threads.ask(task(
      [&begun](Rng&, const Budget&) {
        begun = true;
        return games::BotReply{};
      },
      never, source.get_token())));
  source.request_stop();
  stopped.count_down();
  std::promise<games::BotReply> last;
  ASSERT_TRUE(threads.ask(task([](Rng&, const Budget&) { return games::BotReply{}; }, last)));
  last.get_future().get();
  EXPECT_FALSE(begun);
  EXPECT_EQ(never.get_future().wait_for(milliseconds{0}), std::future_status::timeout);
}

TEST_F(BotThreadsTest, AThoughtUnderWaySeesItsStop) {
  std::stop_source source;
  std::latch begun(1);
  std::promise<void> seen;
  std::promise<games::BotReply> never;
  ASSERT_TRUE(threads.ask(task(
      [&](Rng&, const Budget& budget) {
        begun.count_down();
        while (!budget.stop.stop_requested()) std::this_thread::yield();
        seen.set_value();
        return games::BotReply{};
      },
      never, source.get_token())));
  begun.wait();
  source.request_stop();
  seen.get_future().get();
  std::promise<games::BotReply> next;
  ASSERT_TRUE(threads.ask(task([](Rng&, const Budget&) { return games::BotReply{}; }, next)));
  next.get_future().get();
  EXPECT_EQ(never.get_future().wait_for(milliseconds{0}), std::future_status::timeout);
}

TEST_F(BotThreadsTest, MoreQuestionsThanMayWaitAreRefused) {
  std::latch go_on(1);
  std::latch begun(1);
  std::promise<games::BotReply> first;
  ASSERT_TRUE(threads.ask(task(
      [&](Rng&, const Budget&) {
        begun.count_down();
        go_on.wait();
        return games::BotReply{};
      },
      first)));
  begun.wait();
  const auto ask = [this] {
    return threads.ask({.search = [](Rng&, const Budget&) { return games::BotReply{}; },
                        .stop = {},
                        .answer = [](games::BotReply) {}});
  };
  for (std::size_t i = 0; i < limits::kBotTasksMax; ++i) ASSERT_TRUE(ask());
  EXPECT_FALSE(ask());
  go_on.count_down();
  first.get_future().get();
}

TEST_F(BotThreadsTest, WhatIsAskedWithNobodyThereComesAfterAllElseAndGetsLittleTime) {
  std::latch begun{1};
  std::latch go{1};
  std::promise<games::BotReply> first;
  ASSERT_TRUE(threads.ask(task(
      [&](Rng&, const Budget&) {
        begun.count_down();
        go.wait();
        return games::BotReply{};
      },
      first)));
  begun.wait();
  std::vector<std::string> order;  // on the one bot thread
  microseconds given{};
  std::promise<games::BotReply> alone;
  std::promise<games::BotReply> watched;
  auto later = task(
      [&](Rng&, const Budget& budget) {
        given = budget.time;
        order.emplace_back("alone");
        return games::BotReply{};
      },
      alone);
  later.alone = true;
  ASSERT_TRUE(threads.ask(std::move(later)));
  ASSERT_TRUE(threads.ask(task(
      [&](Rng&, const Budget&) {
        order.emplace_back("watched");
        return games::BotReply{};
      },
      watched)));
  go.count_down();
  alone.get_future().wait();
  EXPECT_EQ(order, (std::vector<std::string>{"watched", "alone"}));
  EXPECT_LE(given, microseconds{limits::kThinkAlone});
}

TEST_F(BotThreadsTest, WhatIsAskedWithNobodyThereHasARateAndAQueueOfItsOwn) {
  bots::BotThreads slow{{.threads = 1, .time_max = kTime, .alone_interval = std::chrono::hours{1}},
                        metrics};
  std::promise<games::BotReply> first;
  const auto ask_alone = [&](std::promise<games::BotReply>& answer) {
    auto one = task([](Rng&, const Budget&) { return games::BotReply{}; }, answer);
    one.alone = true;
    return slow.ask(std::move(one));
  };
  ASSERT_TRUE(ask_alone(first));
  first.get_future().wait();
  std::vector<std::promise<games::BotReply>> waiting(limits::kBotTasksAloneMax + 1);
  for (std::size_t i = 0; i < limits::kBotTasksAloneMax; ++i) {
    ASSERT_TRUE(ask_alone(waiting[i])) << i;
  }
  EXPECT_FALSE(ask_alone(waiting.back()));
  std::promise<games::BotReply> watched;
  ASSERT_TRUE(slow.ask(task([](Rng&, const Budget&) { return games::BotReply{}; }, watched)));
  watched.get_future().wait();
  EXPECT_EQ(waiting.front().get_future().wait_for(milliseconds{0}), std::future_status::timeout);
}

}  // namespace
}  // namespace tesela::tables
