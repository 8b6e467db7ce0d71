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

  /// A question that answers with what `think` gives.
  static bots::BotThreads::Question question(games::Think think,
                                             std::promise<games::Advice>& answer,
                                             std::stop_token stop = {}) {
    return {.think = std::move(think),
            .stop = std::move(stop),
            .answer = [&answer](games::Advice advice) { answer.set_value(std::move(advice)); }};
  }

  metrics::Metrics metrics{"test"};
  bots::BotThreads threads{{.threads = 1, .time_max = kTime}, metrics};
};

TEST_F(BotThreadsTest, AQuestionIsAnsweredWithDiceAndTheWholeTime) {
  std::promise<games::Advice> answer;
  microseconds given{};
  ASSERT_TRUE(threads.ask(question(
      [&given](Rng& rng, const Budget& budget) {
        static_cast<void>(rng.word());
        given = budget.time;
        return games::Advice{.strategy = "s", .move = "m", .value = 1, .measure = {}};
      },
      answer)));
  EXPECT_EQ(answer.get_future().get().move, "m");
  EXPECT_EQ(given, kTime);
}

TEST_F(BotThreadsTest, WhoWaitsGetsAShareOfTheTimeButNotLessThanTheLeast) {
  std::latch all_asked(1);
  std::vector<microseconds> given;
  std::vector<std::promise<games::Advice>> answers(40);
  for (auto& answer : answers) {
    ASSERT_TRUE(threads.ask(question(
        [&](Rng&, const Budget& budget) {
          all_asked.wait();
          given.push_back(budget.time);
          return games::Advice{};
        },
        answer)));
  }
  all_asked.count_down();
  for (auto& answer : answers) answer.get_future().get();
  // The second saw 38 others wait, the last nobody.
  EXPECT_EQ(given[1], limits::kThinkTimeMin);
  EXPECT_EQ(given[answers.size() - 2], kTime / 2);
  EXPECT_EQ(given.back(), kTime);
}

TEST_F(BotThreadsTest, WhatWasStoppedIsNotBegunAndNotAnswered) {
  std::latch stopped(1);
  std::promise<games::Advice> first;
  ASSERT_TRUE(threads.ask(question(
      [&stopped](Rng&, const Budget&) {
        stopped.wait();
        return games::Advice{};
      },
      first)));
  std::stop_source source;
  bool begun = false;
  std::promise<games::Advice> never;
  ASSERT_TRUE(threads.ask(question(
      [&begun](Rng&, const Budget&) {
        begun = true;
        return games::Advice{};
      },
      never, source.get_token())));
  source.request_stop();
  stopped.count_down();
  std::promise<games::Advice> last;
  ASSERT_TRUE(threads.ask(question([](Rng&, const Budget&) { return games::Advice{}; }, last)));
  last.get_future().get();
  EXPECT_FALSE(begun);
  EXPECT_EQ(never.get_future().wait_for(milliseconds{0}), std::future_status::timeout);
}

TEST_F(BotThreadsTest, AThoughtUnderWaySeesItsStop) {
  std::stop_source source;
  std::latch begun(1);
  std::promise<void> seen;
  std::promise<games::Advice> never;
  ASSERT_TRUE(threads.ask(question(
      [&](Rng&, const Budget& budget) {
        begun.count_down();
        while (!budget.stop.stop_requested()) std::this_thread::yield();
        seen.set_value();
        return games::Advice{};
      },
      never, source.get_token())));
  begun.wait();
  source.request_stop();
  seen.get_future().get();
  std::promise<games::Advice> next;
  ASSERT_TRUE(threads.ask(question([](Rng&, const Budget&) { return games::Advice{}; }, next)));
  next.get_future().get();
  EXPECT_EQ(never.get_future().wait_for(milliseconds{0}), std::future_status::timeout);
}

TEST_F(BotThreadsTest, MoreQuestionsThanMayWaitAreRefused) {
  std::latch go_on(1);
  std::latch begun(1);
  std::promise<games::Advice> first;
  ASSERT_TRUE(threads.ask(question(
      [&](Rng&, const Budget&) {
        begun.count_down();
        go_on.wait();
        return games::Advice{};
      },
      first)));
  begun.wait();
  const auto ask = [this] {
    return threads.ask({.think = [](Rng&, const Budget&) { return games::Advice{}; },
                        .stop = {},
                        .answer = [](games::Advice) {}});
  };
  for (std::size_t i = 0; i < limits::kQuestionsMax; ++i) ASSERT_TRUE(ask());
  EXPECT_FALSE(ask());
  go_on.count_down();
  first.get_future().get();
}

TEST_F(BotThreadsTest, WhatIsAskedWithNobodyThereComesAfterAllElseAndGetsLittleTime) {
  std::latch begun{1};
  std::latch go{1};
  std::promise<games::Advice> first;
  ASSERT_TRUE(threads.ask(question(
      [&](Rng&, const Budget&) {
        begun.count_down();
        go.wait();
        return games::Advice{};
      },
      first)));
  begun.wait();
  std::vector<std::string> order;  // on the one bot thread
  microseconds given{};
  std::promise<games::Advice> alone;
  std::promise<games::Advice> watched;
  auto later = question(
      [&](Rng&, const Budget& budget) {
        given = budget.time;
        order.emplace_back("alone");
        return games::Advice{};
      },
      alone);
  later.alone = true;
  ASSERT_TRUE(threads.ask(std::move(later)));
  ASSERT_TRUE(threads.ask(question(
      [&](Rng&, const Budget&) {
        order.emplace_back("watched");
        return games::Advice{};
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
  std::promise<games::Advice> first;
  const auto ask_alone = [&](std::promise<games::Advice>& answer) {
    auto one = question([](Rng&, const Budget&) { return games::Advice{}; }, answer);
    one.alone = true;
    return slow.ask(std::move(one));
  };
  ASSERT_TRUE(ask_alone(first));
  first.get_future().wait();
  std::vector<std::promise<games::Advice>> waiting(limits::kQuestionsAloneMax + 1);
  for (std::size_t i = 0; i < limits::kQuestionsAloneMax; ++i) {
    ASSERT_TRUE(ask_alone(waiting[i])) << i;
  }
  EXPECT_FALSE(ask_alone(waiting.back()));
  std::promise<games::Advice> watched;
  ASSERT_TRUE(slow.ask(question([](Rng&, const Budget&) { return games::Advice{}; }, watched)));
  watched.get_future().wait();
  EXPECT_EQ(waiting.front().get_future().wait_for(milliseconds{0}), std::future_status::timeout);
}

}  // namespace
}  // namespace tesela::tables
