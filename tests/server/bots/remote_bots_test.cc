// Remote bots, without the stream that they come on.
#include "server/bots/remote_bots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/bots/bots.h"

namespace tesela::tables {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Records its requests and does not answer.
class QuietBot : public bots::RemoteBot {
 public:
  void ask(const bots::RemoteRequest& request) override {
    const std::lock_guard lock{mutex_};
    requests_.push_back(request.id);
  }
  void dismiss(bots::BotRequestId request, const std::string& why) override {
    const std::lock_guard lock{mutex_};
    dismissed_.emplace_back(request, why);
  }

  std::vector<bots::BotRequestId> requests() {
    const std::lock_guard lock{mutex_};
    return requests_;
  }
  std::vector<std::pair<bots::BotRequestId, std::string>> dismissed() {
    const std::lock_guard lock{mutex_};
    return dismissed_;
  }

 private:
  std::mutex mutex_;
  std::vector<bots::BotRequestId> requests_;
  std::vector<std::pair<bots::BotRequestId, std::string>> dismissed_;
};

class RemoteBotsTest : public testing::Test {
 protected:
  static constexpr PlayerId kAna{1};
  static constexpr PlayerId kBob{2};

  static bots::RemoteBots::Offer offer(std::string name, PlayerId owner = kAna,
                                       std::string game = "azul") {
    return {.owner = owner,
            .game = std::move(game),
            .strategy = bots::remote_strategy(name).value(),
            .description = "a " + name};
  }

  std::shared_ptr<QuietBot> offered(std::string name, PlayerId owner = kAna) {
    auto bot = std::make_shared<QuietBot>();
    EXPECT_TRUE(remote_bots_.offer(offer(std::move(name), owner), bot));
    return bot;
  }

  /// A request whose only legal move is "good".
  std::future<std::optional<games::BotReply>> ask(bots::RemoteBots& remote_bots,
                                                  std::string strategy, std::stop_token stop = {}) {
    std::promise<std::optional<games::BotReply>> promise;
    auto answer = promise.get_future();
    games::BotRequest position{.seat = Seat{1},
                               .view = {},
                               .move_type = "a.Move",
                               .legal_moves = {"good"},
                               .judge = [](std::string_view move) -> Expected<std::string> {
                                 if (move == "good") return "canonical";
                                 return refuse(ErrorCode::kIllegalMove, "That cannot be.");
                               }};
    remote_bots.ask(
        {.game = "azul",
         .strategy = std::move(strategy),
         .config = "config",
         .position = std::move(position),
         .stop = std::move(stop),
         .answer = [promise = std::move(promise)](std::optional<games::BotReply> advice) mutable {
           promise.set_value(std::move(advice));
         }});
    return answer;
  }
  std::future<std::optional<games::BotReply>> ask(std::string strategy, std::stop_token stop = {}) {
    return ask(remote_bots_, std::move(strategy), std::move(stop));
  }

  double counted(const char* outcome) { return metrics_.remote_requests(outcome).Value(); }

  metrics::Metrics metrics_;
  bots::RemoteBots remote_bots_{{.time_max = 1h}, metrics_};
};

TEST(OutsideName, IsOfFewLettersAndBeginsWithExt) {
  EXPECT_EQ(bots::remote_strategy("my-bot-2").value(), "ext/my-bot-2");
  EXPECT_TRUE(bots::remote_strategy(std::string(limits::kRemoteNameMax, 'a')));
  for (const char* bad : {"", "My", "a b", "a/b", "é", "ext/a", "a_b"}) {
    EXPECT_FALSE(bots::remote_strategy(bad)) << bad;
    EXPECT_FALSE(bots::is_remote("ext/" + std::string(bad))) << bad;
  }
  EXPECT_FALSE(bots::remote_strategy(std::string(limits::kRemoteNameMax + 1, 'a')));
  EXPECT_FALSE(bots::is_remote("safe"));
  EXPECT_FALSE(bots::is_remote(""));
}

TEST_F(RemoteBotsTest, ABotIsThereWhileItIsOffered) {
  EXPECT_THAT(remote_bots_.check("azul", "ext/a").error().message,
              HasSubstr("Nobody offers ext/a for"));
  const auto bot = offered("a");
  EXPECT_TRUE(remote_bots_.check("azul", "ext/a"));
  EXPECT_TRUE(remote_bots_.check("azul", "safe"));
  EXPECT_TRUE(remote_bots_.check("azul", ""));
  EXPECT_FALSE(remote_bots_.check("2048", "ext/a"));
  ASSERT_EQ(remote_bots_.offered("azul").size(), 1);
  EXPECT_EQ(remote_bots_.offered("azul")[0].description, "a a");
  EXPECT_TRUE(remote_bots_.offered("2048").empty());
  remote_bots_.withdraw(*bot);
  remote_bots_.withdraw(*bot);
  EXPECT_FALSE(remote_bots_.check("azul", "ext/a"));
}

TEST_F(RemoteBotsTest, ANameIsTakenOncePerGame) {
  const auto bot = offered("a");
  const auto again = std::make_shared<QuietBot>();
  EXPECT_EQ(remote_bots_.offer(offer("a", kBob), again).error().code, ErrorCode::kAlreadyOffered);
  EXPECT_TRUE(remote_bots_.offer(offer("a", kBob, "2048"), again));
  // Withdrawing a refused bot does not affect the offered one.
  remote_bots_.withdraw(*again);
  EXPECT_TRUE(remote_bots_.check("azul", "ext/a"));
}

TEST_F(RemoteBotsTest, APlayerOffersSoMany) {
  for (int n = 0; n < limits::kRemoteBotsPerPlayerMax; ++n) offered("bot-" + std::to_string(n));
  const auto bot = std::make_shared<QuietBot>();
  EXPECT_EQ(remote_bots_.offer(offer("more"), bot).error().code, ErrorCode::kResourceExhausted);
  EXPECT_TRUE(remote_bots_.offer(offer("more", kBob), bot));
}

TEST_F(RemoteBotsTest, AServerHasSoMany) {
  for (std::size_t n = 0; n < limits::kRemoteBotsMax; ++n) {
    offered("bot-" + std::to_string(n), PlayerId{100 + n});
  }
  const auto refused = remote_bots_.offer(offer("more"), std::make_shared<QuietBot>());
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
}

TEST_F(RemoteBotsTest, AnAnswerIsJudgedAndNamesTheBot) {
  const auto bot = offered("a");
  auto answer = ask("ext/a");
  remote_bots_.answer(*bot, bot->requests().at(0), "a.Move", "good");
  const auto advice = answer.get();
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->strategy, "ext/a");
  EXPECT_EQ(advice->move, "canonical");
  EXPECT_EQ(counted("answered"), 1);
  EXPECT_TRUE(bot->dismissed().empty());
}

TEST_F(RemoteBotsTest, WhatIsNoMoveIsDismissedAndTheQuestionIsSettled) {
  const auto bot = offered("a");
  for (const auto& [type, move, why] :
       {std::tuple{"a.Move", "bad", "That cannot be."},
        std::tuple{"b.Move", "good", "The move must be a a.Move, not 'b.Move'."}}) {
    auto answer = ask("ext/a");
    remote_bots_.answer(*bot, bot->requests().back(), type, move);
    EXPECT_EQ(answer.get(), std::nullopt);
    EXPECT_EQ(bot->dismissed().back().second, why);
  }
  EXPECT_EQ(counted("illegal"), 2);
  remote_bots_.answer(*bot, bot->requests().back(), "a.Move", "good");
  EXPECT_THAT(bot->dismissed().back().second, HasSubstr("no such request"));
}

TEST_F(RemoteBotsTest, NobodyAnswersForAnother) {
  const auto bot = offered("a");
  const auto other = offered("b");
  auto answer = ask("ext/a");
  const auto request = bot->requests().at(0);
  remote_bots_.answer(*other, request, "a.Move", "good");
  EXPECT_THAT(other->dismissed().at(0).second, HasSubstr("no such request"));
  EXPECT_EQ(answer.wait_for(0s), std::future_status::timeout);
  remote_bots_.answer(*bot, request, "a.Move", "good");
  EXPECT_TRUE(answer.get());
}

TEST_F(RemoteBotsTest, WhoIsNotThereOrHasNoTimeIsNotAsked) {
  EXPECT_FALSE(remote_bots_.has_time("azul", "ext/a"));
  EXPECT_EQ(ask("ext/a").get(), std::nullopt);
  const auto bot = offered("a");
  std::vector<std::future<std::optional<games::BotReply>>> answers;
  while (remote_bots_.has_time("azul", "ext/a")) answers.push_back(ask("ext/a"));
  EXPECT_EQ(answers.size(), limits::kRemoteRequestsMax);
  EXPECT_EQ(ask("ext/a").get(), std::nullopt);
  EXPECT_EQ(counted("busy"), 2);
  remote_bots_.answer(*bot, bot->requests().at(7), "a.Move", "good");
  EXPECT_TRUE(remote_bots_.has_time("azul", "ext/a"));
}

TEST_F(RemoteBotsTest, WhenABotLeavesItsQuestionsAreSettled) {
  const auto bot = offered("a");
  const auto other = offered("b");
  auto first = ask("ext/a");
  auto second = ask("ext/a");
  auto others = ask("ext/b");
  remote_bots_.withdraw(*bot);
  EXPECT_EQ(first.get(), std::nullopt);
  EXPECT_EQ(second.get(), std::nullopt);
  EXPECT_EQ(others.wait_for(0s), std::future_status::timeout);
  EXPECT_EQ(counted("left"), 2);
}

TEST_F(RemoteBotsTest, ALateBotIsDismissed) {
  bots::RemoteBots remote_bots{{.time_max = 20ms}, metrics_};
  const auto bot = std::make_shared<QuietBot>();
  ASSERT_TRUE(remote_bots.offer(offer("a"), bot));
  for (int n = 0; n < 2; ++n) {  // the clock goes on after it had nothing to do
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(ask(remote_bots, "ext/a").get(), std::nullopt);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 20ms);
    EXPECT_EQ(bot->dismissed().back(), std::pair(bot->requests().back(), std::string("Too late.")));
  }
  EXPECT_EQ(counted("late"), 2);
  EXPECT_TRUE(remote_bots.has_time("azul", "ext/a"));
}

TEST_F(RemoteBotsTest, WhatIsStoppedIsDismissedWithoutAnAnswer) {
  const auto bot = offered("a");
  std::stop_source table;
  auto answer = ask("ext/a", table.get_token());
  table.request_stop();
  EXPECT_THAT(bot->dismissed().at(0).second, HasSubstr("no longer needs a move"));
  EXPECT_THROW(answer.get(), std::future_error);  // the promise is broken
  EXPECT_EQ(counted("stopped"), 1);
}

TEST_F(RemoteBotsTest, ABotOfAnotherServerIsAskedLikeOneOfThisServer) {
  const auto far = std::make_shared<QuietBot>();
  remote_bots_.set_elsewhere({{.offer = offer("far"), .bot = far}});
  EXPECT_TRUE(remote_bots_.check("azul", "ext/far"));
  ASSERT_EQ(remote_bots_.offered("azul").size(), 1);
  EXPECT_TRUE(remote_bots_.here().empty());
  auto answer = ask("ext/far");
  remote_bots_.answer(*far, far->requests().at(0), "a.Move", "good");
  EXPECT_EQ(answer.get()->move, "canonical");
  auto bad = ask("ext/far");
  remote_bots_.answer(*far, far->requests().at(1), "a.Move", "bad");
  EXPECT_EQ(bad.get(), std::nullopt);
  EXPECT_EQ(far->dismissed().back().second, "That cannot be.");
  auto given_up = ask("ext/far");
  remote_bots_.give_up(*far, far->requests().at(2));
  EXPECT_EQ(given_up.get(), std::nullopt);
  EXPECT_EQ(counted("left"), 1);
}

TEST_F(RemoteBotsTest, WhenABotIsGoneElsewhereItsQuestionsAreSettled) {
  const auto far = std::make_shared<QuietBot>();
  const auto stays = std::make_shared<QuietBot>();
  remote_bots_.set_elsewhere(
      {{.offer = offer("far"), .bot = far}, {.offer = offer("stays"), .bot = stays}});
  auto of_far = ask("ext/far");
  auto of_other = ask("ext/stays");
  remote_bots_.set_elsewhere({{.offer = offer("stays"), .bot = stays}});
  EXPECT_EQ(of_far.get(), std::nullopt);
  EXPECT_FALSE(remote_bots_.has_time("azul", "ext/far"));
  EXPECT_EQ(of_other.wait_for(0s), std::future_status::timeout);
  remote_bots_.answer(*stays, stays->requests().at(0), "a.Move", "good");
  EXPECT_TRUE(of_other.get());
}

TEST_F(RemoteBotsTest, ABotOfThisServerStandsBeforeOneOfTheSameNameElsewhere) {
  const auto far = std::make_shared<QuietBot>();
  remote_bots_.set_elsewhere({{.offer = offer("a"), .bot = far}});
  auto of_far = ask("ext/a");
  const auto near = offered("a", kBob);
  EXPECT_EQ(of_far.get(), std::nullopt);
  remote_bots_.set_elsewhere({{.offer = offer("a"), .bot = far}});
  auto of_near = ask("ext/a");
  remote_bots_.answer(*near, near->requests().at(0), "a.Move", "good");
  EXPECT_TRUE(of_near.get());
  EXPECT_EQ(far->requests().size(), 1);
  ASSERT_EQ(remote_bots_.here().size(), 1);
  EXPECT_EQ(remote_bots_.here().front().offer.owner, kBob);
}

// Two servers would pass a question on to each other for ever.
TEST_F(RemoteBotsTest, AQuestionOfAnotherServerIsNotPassedOn) {
  const auto far = std::make_shared<QuietBot>();
  remote_bots_.set_elsewhere({{.offer = offer("far"), .bot = far}});
  std::optional<games::BotReply> reply{games::BotReply{}};
  remote_bots_.ask({.game = "azul",
                    .strategy = "ext/far",
                    .config = {},
                    .position = {},
                    .stop = {},
                    .answer = [&](auto given) { reply = std::move(given); },
                    .only_here = true});
  EXPECT_EQ(reply, std::nullopt);
  EXPECT_TRUE(far->requests().empty());
}

TEST_F(RemoteBotsTest, AShorterTimeIsOverBeforeAnEarlierQuestions) {
  const auto bot = offered("a");
  auto usual = ask("ext/a");
  std::promise<std::optional<games::BotReply>> promise;
  auto hurried = promise.get_future();
  remote_bots_.ask({.game = "azul",
                    .strategy = "ext/a",
                    .config = {},
                    .position = {},
                    .stop = {},
                    .answer = [&](auto given) { promise.set_value(std::move(given)); },
                    .time = 20ms});
  EXPECT_EQ(hurried.get(), std::nullopt);
  EXPECT_EQ(usual.wait_for(0s), std::future_status::timeout);
  EXPECT_EQ(counted("late"), 1);
}

TEST_F(RemoteBotsTest, ABotIsToldThatItsAnswerCannotBeUsed) {
  const auto bot = offered("a");
  auto answer = ask("ext/a");
  const auto request = bot->requests().at(0);
  remote_bots_.answer(*bot, request, "a.Move", "good");
  remote_bots_.dismiss("azul", "ext/a", request, "It is not legal there.");
  EXPECT_EQ(bot->dismissed().back(), std::pair(request, std::string("It is not legal there.")));
  remote_bots_.stop(request, "It is over.");
  EXPECT_EQ(bot->dismissed().size(), 1);
  remote_bots_.dismiss("azul", "ext/b", request, "Nobody hears this.");
}

TEST_F(RemoteBotsTest, AllOfItMayHappenAtOnce) {
  bots::RemoteBots remote_bots{{.time_max = 1ms}, metrics_};
  const auto play = [&](int n) {
    for (int round = 0; round < 200; ++round) {
      const auto bot = std::make_shared<QuietBot>();
      ASSERT_TRUE(remote_bots.offer(offer("bot-" + std::to_string(n), PlayerId(n + 1)), bot));
      std::stop_source table;
      const std::string strategy = "ext/bot-" + std::to_string(n);
      auto first = ask(remote_bots, strategy);
      auto second = ask(remote_bots, strategy, table.get_token());
      std::thread closing([&table] { table.request_stop(); });
      for (const auto request : bot->requests())
        remote_bots.answer(*bot, request, "a.Move", "good");
      if (round % 2 == 0) first.get();
      remote_bots.withdraw(*bot);
      if (round % 2 != 0) first.get();
      closing.join();
    }
  };
  std::vector<std::jthread> threads;
  for (int n = 0; n < 4; ++n) threads.emplace_back(play, n);
}

}  // namespace
}  // namespace tesela::tables
