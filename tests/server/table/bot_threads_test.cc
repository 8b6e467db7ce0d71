// The threads that strategies think on.
#include "server/table/bot_threads.h"

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "server/net/limits.h"

namespace tesela::table {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

class BotThreadsTest : public testing::Test {
 protected:
  static constexpr milliseconds kTime{40};

  /// A question that answers with what `think` gives.
  static BotThreads::Question question(Think think, std::promise<Advice>& answer,
                                       std::stop_token stop = {}) {
    return {.think = std::move(think), .stop = std::move(stop), .answer = [&answer](Advice advice) {
              answer.set_value(std::move(advice));
            }};
  }

  ops::Metrics metrics{"test"};
  BotThreads threads{{.threads = 1, .time_max = kTime}, metrics};
};

TEST_F(BotThreadsTest, AQuestionIsAnsweredWithDiceAndTheWholeTime) {
  std::promise<Advice> answer;
  microseconds given{};
  ASSERT_TRUE(threads.ask(question(
      [&given](Rng& rng, const Budget& budget) {
        static_cast<void>(rng.word());
        given = budget.time;
        return Advice{.strategy = "s", .move = "m", .value = 1, .measure = {}};
      },
      answer)));
  EXPECT_EQ(answer.get_future().get().move, "m");
  EXPECT_EQ(given, kTime);
}

TEST_F(BotThreadsTest, WhoWaitsGetsAShareOfTheTimeButNotLessThanTheLeast) {
  std::latch all_asked(1);
  std::vector<microseconds> given;
  std::vector<std::promise<Advice>> answers(40);
  for (auto& answer : answers) {
    ASSERT_TRUE(threads.ask(question(
        [&](Rng&, const Budget& budget) {
          all_asked.wait();
          given.push_back(budget.time);
          return Advice{};
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
  std::promise<Advice> first;
  ASSERT_TRUE(threads.ask(question(
      [&stopped](Rng&, const Budget&) {
        stopped.wait();
        return Advice{};
      },
      first)));
  std::stop_source source;
  bool begun = false;
  std::promise<Advice> never;
  ASSERT_TRUE(threads.ask(question(
      [&begun](Rng&, const Budget&) {
        begun = true;
        return Advice{};
      },
      never, source.get_token())));
  source.request_stop();
  stopped.count_down();
  std::promise<Advice> last;
  ASSERT_TRUE(threads.ask(question([](Rng&, const Budget&) { return Advice{}; }, last)));
  last.get_future().get();
  EXPECT_FALSE(begun);
  EXPECT_EQ(never.get_future().wait_for(milliseconds{0}), std::future_status::timeout);
}

TEST_F(BotThreadsTest, AThoughtUnderWaySeesItsStop) {
  std::stop_source source;
  std::latch begun(1);
  std::promise<void> seen;
  std::promise<Advice> never;
  ASSERT_TRUE(threads.ask(question(
      [&](Rng&, const Budget& budget) {
        begun.count_down();
        while (!budget.stop.stop_requested()) std::this_thread::yield();
        seen.set_value();
        return Advice{};
      },
      never, source.get_token())));
  begun.wait();
  source.request_stop();
  seen.get_future().get();
  std::promise<Advice> next;
  ASSERT_TRUE(threads.ask(question([](Rng&, const Budget&) { return Advice{}; }, next)));
  next.get_future().get();
  EXPECT_EQ(never.get_future().wait_for(milliseconds{0}), std::future_status::timeout);
}

TEST_F(BotThreadsTest, MoreQuestionsThanMayWaitAreRefused) {
  std::latch go_on(1);
  std::latch begun(1);
  std::promise<Advice> first;
  ASSERT_TRUE(threads.ask(question(
      [&](Rng&, const Budget&) {
        begun.count_down();
        go_on.wait();
        return Advice{};
      },
      first)));
  begun.wait();
  const auto ask = [this] {
    return threads.ask({.think = [](Rng&, const Budget&) { return Advice{}; },
                        .stop = {},
                        .answer = [](Advice) {}});
  };
  for (std::size_t i = 0; i < limits::kQuestionsMax; ++i) ASSERT_TRUE(ask());
  EXPECT_FALSE(ask());
  go_on.count_down();
  first.get_future().get();
}

}  // namespace
}  // namespace tesela::table
