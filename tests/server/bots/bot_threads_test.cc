// The threads that strategies think on.
#include "server/bots/bot_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <iterator>
#include <latch>
#include <list>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/analysis_limits.h"
#include "server/base/limits.h"

namespace tesela::tables {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;
using Urgency = bots::BotThreads::Urgency;

/// Keeps every thread at work, each with one search, until `release`.
class Busy {
 public:
  Busy(bots::BotThreads& threads, std::size_t count)
      : begun_(static_cast<std::ptrdiff_t>(count)), answers_(count) {
    for (auto& answer : answers_) {
      EXPECT_TRUE(threads.ask({.search =
                                   [this](Rng&, const Budget&) {
                                     begun_.count_down();
                                     go_on_.wait();
                                     return games::BotReply{};
                                   },
                               .stop = {},
                               .answer = [&answer](games::BotReply) { answer.set_value(); }}));
    }
    begun_.wait();
  }
  void release() {
    go_on_.count_down();
    for (auto& answer : answers_) answer.get_future().get();
  }

 private:
  std::latch begun_;
  std::latch go_on_{1};
  std::vector<std::promise<void>> answers_;
};

/// Searches that tell which time each of them was given.
class Burst {
 public:
  explicit Burst(bots::BotThreads& threads) : threads_(threads) {}
  /// `first`: what the first of them does besides.
  void ask(std::size_t count, const std::stop_token& stop = {},
           const std::function<void()>& first = {}) {
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(
          threads_.ask({.search =
                            [this, then = i == 0 ? first : nullptr](Rng&, const Budget& budget) {
                              if (then) then();
                              const std::scoped_lock lock(mutex_);
                              times_.push_back(budget.time);
                              return games::BotReply{};
                            },
                        .stop = stop,
                        .answer = [&answer = answers_.emplace_back()](
                                      games::BotReply) { answer.set_value(); }}));
    }
  }
  /// Of all but the stopped, of which `stopped` were asked first.
  std::vector<microseconds> times(std::size_t stopped = 0) {
    for (auto answer = std::next(answers_.begin(), static_cast<std::ptrdiff_t>(stopped));
         answer != answers_.end(); ++answer) {
      answer->get_future().get();
    }
    return times_;
  }

 private:
  bots::BotThreads& threads_;
  std::list<std::promise<void>> answers_;
  std::mutex mutex_;
  std::vector<microseconds> times_;
};

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

  /// The times of searches that were all asked for while every thread was at work.
  std::vector<microseconds> times_of_burst(const bots::BotThreads::Options& options,
                                           std::size_t searches) {
    bots::BotThreads all{options, metrics};
    Busy busy{all, options.threads};
    Burst burst{all};
    burst.ask(searches);
    busy.release();
    return burst.times();
  }

  metrics::Metrics metrics;
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

TEST_F(BotThreadsTest, WhoWaitsGetsAnEvenShareOfTheTime) {
  const auto times = times_of_burst({.threads = 1, .time_max = milliseconds{300}}, 50);
  EXPECT_THAT(times, SizeIs(50));
  EXPECT_THAT(times, Each(milliseconds{6}));
}

TEST_F(BotThreadsTest, WhoWaitsGetsAShareOfTheTimeButNotLessThanTheLeast) {
  EXPECT_THAT(times_of_burst({.threads = 1, .time_max = kTime}, 50), Each(limits::kThinkTimeMin));
}

TEST_F(BotThreadsTest, WhoWaitsForThreadsWithNobodyElseGetsTheWholeTime) {
  EXPECT_THAT(times_of_burst({.threads = 2, .time_max = kTime}, 2), Each(kTime));
}

TEST_F(BotThreadsTest, SeveralThreadsShareOutTheTimeOfAll) {
  EXPECT_THAT(times_of_burst({.threads = 2, .time_max = kTime}, 8), Each(kTime / 4));
}

TEST_F(BotThreadsTest, WhoComesDuringARoundIsInTheNext) {
  Busy busy{threads, 1};
  Burst early{threads};
  Burst late{threads};
  early.ask(10, {}, [&late] { late.ask(4); });
  busy.release();
  EXPECT_THAT(early.times(), Each(kTime / 10));
  EXPECT_THAT(late.times(), Each(kTime / 4));
}

TEST_F(BotThreadsTest, WhatWasStoppedHasNoShare) {
  Busy busy{threads, 1};
  std::stop_source source;
  Burst burst{threads};
  burst.ask(5, source.get_token());
  burst.ask(5);
  source.request_stop();
  busy.release();
  const auto times = burst.times(5);
  EXPECT_THAT(times, SizeIs(5));
  EXPECT_THAT(times, Each(kTime / 5));
}

TEST_F(BotThreadsTest, WhatWasStoppedIsNotBegunAndNotAnswered) {
  Busy busy{threads, 1};
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
  busy.release();
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
  Busy busy{threads, 1};
  const auto ask = [this] {
    return threads.ask({.search = [](Rng&, const Budget&) { return games::BotReply{}; },
                        .stop = {},
                        .answer = [](games::BotReply) {}});
  };
  for (std::size_t i = 0; i < limits::kBotTasksMax; ++i) ASSERT_TRUE(ask());
  EXPECT_FALSE(ask());
  busy.release();
}

TEST_F(BotThreadsTest, WhatIsAskedWithNobodyThereComesAfterAllElseAndGetsLittleTime) {
  Busy busy{threads, 1};
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
  later.urgency = Urgency::kAlone;
  ASSERT_TRUE(threads.ask(std::move(later)));
  ASSERT_TRUE(threads.ask(task(
      [&](Rng&, const Budget&) {
        order.emplace_back("watched");
        return games::BotReply{};
      },
      watched)));
  busy.release();
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
    one.urgency = Urgency::kAlone;
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

TEST_F(BotThreadsTest, AnalysesComeAfterPlayersAndInTurnWithTablesThatNobodyWatches) {
  bots::BotThreads one{{.threads = 1, .time_max = kTime, .alone_interval = {}}, metrics};
  Busy busy{one, 1};
  std::vector<std::string> order;  // on the one bot thread
  std::list<std::promise<games::BotReply>> answers;
  const auto ask = [&](Urgency urgency, const char* name) {
    auto asked = task(
        [&order, name](Rng&, const Budget&) {
          order.emplace_back(name);
          return games::BotReply{};
        },
        answers.emplace_back());
    asked.urgency = urgency;
    return one.ask(std::move(asked));
  };
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(ask(Urgency::kAlone, "alone"));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(ask(Urgency::kAnalysis, "analysis"));
  ASSERT_TRUE(ask(Urgency::kTable, "player"));
  busy.release();
  for (auto& answer : answers) answer.get_future().get();
  EXPECT_THAT(order,
              ElementsAre("player", "analysis", "alone", "analysis", "alone", "analysis", "alone"));
}

TEST_F(BotThreadsTest, AnalysesHaveNoPauseAndTheirOwnTime) {
  bots::BotThreads slow{{.threads = 1, .time_max = kTime, .alone_interval = std::chrono::hours{1}},
                        metrics};
  std::vector<microseconds> given;
  for (const auto time : {kTime / 2, kTime, kTime * 2}) {
    std::promise<games::BotReply> answer;
    auto analysis = task(
        [&given](Rng&, const Budget& budget) {
          given.push_back(budget.time);
          return games::BotReply{};
        },
        answer);
    analysis.urgency = Urgency::kAnalysis;
    analysis.time_max = time;
    ASSERT_TRUE(slow.ask(std::move(analysis)));
    answer.get_future().get();
  }
  EXPECT_THAT(given, ElementsAre(kTime / 2, kTime, kTime));
}

TEST_F(BotThreadsTest, AnalysesLeaveHalfOfTheThreadsToOthers) {
  bots::BotThreads two{{.threads = 2, .time_max = kTime, .alone_interval = {}}, metrics};
  Busy busy{two, 2};
  std::latch go_on(1);
  std::list<std::promise<games::BotReply>> answers;
  const auto ask = [&](Urgency urgency) {
    auto asked = task(
        [&go_on, urgency](Rng&, const Budget&) {
          if (urgency == Urgency::kAnalysis) go_on.wait();
          return games::BotReply{};
        },
        answers.emplace_back());
    asked.urgency = urgency;
    return two.ask(std::move(asked));
  };
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(ask(Urgency::kAnalysis));
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(ask(Urgency::kAlone));
  busy.release();
  std::vector<std::future<games::BotReply>> done;
  for (auto& answer : answers) done.push_back(answer.get_future());
  // The turn of the second analysis comes before the last of the others.
  EXPECT_EQ(done.back().wait_for(std::chrono::seconds{10}), std::future_status::ready);
  go_on.count_down();
  for (auto& one : done) one.wait();
}

TEST_F(BotThreadsTest, AnalysesThatWereLeftMakeRoomForOthers) {
  Busy busy{threads, 1};
  const auto ask = [this](const std::stop_token& stop) {
    return threads.ask({.search = [](Rng&, const Budget&) { return games::BotReply{}; },
                        .stop = stop,
                        .urgency = Urgency::kAnalysis,
                        .answer = [](const games::BotReply&) {}});
  };
  std::stop_source left;
  for (std::size_t i = 0; i + 1 < limits::kAnalysesMax; ++i) ASSERT_TRUE(ask(left.get_token()));
  ASSERT_TRUE(ask({}));
  EXPECT_FALSE(ask({}));
  left.request_stop();
  for (std::size_t i = 0; i + 1 < limits::kAnalysesMax; ++i) EXPECT_TRUE(ask({})) << i;
  EXPECT_FALSE(ask({}));
  busy.release();
}

}  // namespace
}  // namespace tesela::tables
