// Bots from outside of two servers that have a store of offers in common.
#include "server/services/cluster_bots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/bots/remote_bots.h"
#include "server/services/node_bots.h"
#include "tests/server/nodes/owner_node.h"

namespace tesela::nodes {
namespace {

namespace asio = boost::asio;
using services::ClusterBots;
using std::chrono::milliseconds;
using store::LifeId;
using store::OfferedBot;
using store::OfferId;
using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::chrono_literals;

/// A life that a test ends.
class SomeLife final : public store::Life {
 public:
  explicit SomeLife(LifeId id) : id_(id.value) {}
  [[nodiscard]] LifeId id() const override { return LifeId{id_}; }
  [[nodiscard]] bool may_speak() const override { return true; }
  [[nodiscard]] std::uint64_t gaps() const override { return 0; }
  [[nodiscard]] bool dead() const override { return false; }
  void begin_again() override { ++id_; }

 private:
  std::atomic<std::uint64_t> id_;
};

/// The offers of all servers. All lives are alive but those that a test has ended.
class Offers final : public store::OfferedBots {
 public:
  asio::awaitable<Expected<void>> offer(OfferedBot bot) override {
    const std::scoped_lock lock(mutex_);
    const auto same = [&](const OfferedBot& other) { return other.strategy == bot.strategy; };
    const auto found = std::ranges::find_if(bots_, same);
    if (found != bots_.end() && found->life != bot.life) {
      co_return store::already_offered(bot.game, bot.strategy);
    }
    std::erase_if(bots_, same);
    bot.address = addresses[bot.life.value / 100];
    bots_.push_back(std::move(bot));
    co_return Expected<void>{};
  }
  asio::awaitable<Expected<void>> withdraw(std::vector<OfferId> offers) override {
    const std::scoped_lock lock(mutex_);
    std::erase_if(bots_, [&](const OfferedBot& bot) {
      return std::ranges::find(offers, bot.id) != offers.end();
    });
    co_return Expected<void>{};
  }
  asio::awaitable<Expected<std::vector<OfferedBot>>> offered() override {
    const std::scoped_lock lock(mutex_);
    std::vector<OfferedBot> all = bots_;
    co_return all;
  }

  void forget(LifeId life) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(bots_, [life](const OfferedBot& bot) { return bot.life == life; });
  }
  std::vector<std::string> names() {
    const std::scoped_lock lock(mutex_);
    std::vector<std::string> all;
    for (const OfferedBot& bot : bots_) all.push_back(bot.strategy);
    return all;
  }

  std::array<std::string, 3> addresses;  // by the hundreds of lives

 private:
  std::mutex mutex_;
  std::vector<OfferedBot> bots_;
};

/// Answers by a function; null: not at all.
class ScriptedBot final : public bots::RemoteBot {
 public:
  using Script = std::function<std::string(const bots::RemoteRequest&)>;
  ScriptedBot(bots::RemoteBots& remote_bots, Script script)
      : remote_bots_(remote_bots), script_(std::move(script)) {}

  void ask(const bots::RemoteRequest& request) override {
    ++asked;
    if (script_) remote_bots_.answer(*this, request.id, "a.Move", script_(request));
  }
  void dismiss(bots::BotRequestId /*request*/, const std::string& why) override {
    const std::scoped_lock lock(mutex_);
    dismissed_.push_back(why);
  }
  void send_away(const Error& why) override { sent_away.set_value(why.code); }

  /// What it was told, when it is so much.
  std::vector<std::string> dismissed(std::size_t count) {
    for (;;) {
      const std::scoped_lock lock(mutex_);
      if (dismissed_.size() >= count) return dismissed_;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
  }

  std::atomic<int> asked{0};
  std::promise<ErrorCode> sent_away;

 private:
  bots::RemoteBots& remote_bots_;
  const Script script_;
  std::mutex mutex_;
  std::vector<std::string> dismissed_;
};

/// What of a server has to do with bots from outside, and its node port.
class BotNode {
 public:
  BotNode(Offers& offers, LifeId life_id, milliseconds bot_time = 1h)
      : remote_bots{{.time_max = bot_time}, metrics},
        node("", {}, {}, node_bots_.methods()),
        relays_({.ownership = owns_, .life = life, .metrics = metrics, .proof = kProof}),
        life(life_id),
        cluster({.io = io_,
                 .store = offers,
                 .life = life,
                 .calls = calls_,
                 .remote_bots = remote_bots}) {
    offers.addresses.at(life_id.value / 100) = to_text(node.address());
    io_.run();
  }
  ~BotNode() {
    relays_.stop();
    io_.stop();
    io_.join();
  }
  BotNode(const BotNode&) = delete;
  BotNode& operator=(const BotNode&) = delete;

  std::shared_ptr<ScriptedBot> bot(ScriptedBot::Script script) {
    return std::make_shared<ScriptedBot>(remote_bots, std::move(script));
  }
  Expected<void> offer(const std::string& name, std::shared_ptr<ScriptedBot> bot) {
    bots::RemoteBots::Offer offer{
        .owner = PlayerId{7}, .game = "azul", .strategy = "ext/" + name, .description = {}};
    return wait(cluster.offer(std::move(offer), std::move(bot)));
  }
  void look() { wait(cluster.look()); }
  /// The move that the bot chooses, as this server judges it; none: it has not answered.
  std::optional<std::string> ask(const std::string& name, std::stop_token stop = {}) {
    auto answer = begin(name, std::move(stop));
    const auto reply = answer.get();
    if (!reply) return std::nullopt;
    return reply->move;
  }
  std::future<std::optional<games::BotReply>> begin(const std::string& name,
                                                    std::stop_token stop = {}) {
    std::promise<std::optional<games::BotReply>> promise;
    auto answer = promise.get_future();
    games::BotRequest position{.seat = Seat{1},
                               .view = {},
                               .move_type = "a.Move",
                               .legal_moves = {"first", "second"},
                               .judge = [](std::string_view move) -> Expected<std::string> {
                                 if (move == "first" || move == "second") {
                                   return "canonical " + std::string(move);
                                 }
                                 return refuse(ErrorCode::kIllegalMove, "That cannot be.");
                               }};
    remote_bots.ask({.game = "azul",
                     .strategy = "ext/" + name,
                     .config = {},
                     .position = std::move(position),
                     .stop = std::move(stop),
                     .answer = [promise = std::move(promise)](auto reply) mutable {
                       promise.set_value(std::move(reply));
                     }});
    return answer;
  }
  std::vector<std::string> offered() {
    std::vector<std::string> names;
    for (const auto& offer : remote_bots.offered("azul")) names.push_back(offer.strategy);
    return names;
  }
  template <class T>
  T wait(asio::awaitable<T> call) {
    return asio::co_spawn(io_.at(0), std::move(call), asio::use_future).get();
  }

  metrics::Metrics metrics;
  bots::RemoteBots remote_bots;

 private:
  base::IoPool io_{1};
  services::NodeBots node_bots_{remote_bots};
  AllOrNone owns_;

 public:
  OwnerNode node;

 private:
  Relays relays_;
  NodeCalls calls_{relays_, io_};

 public:
  SomeLife life;
  ClusterBots cluster;
};

class ClusterBotsTest : public testing::Test {
 protected:
  Offers offers_;
  BotNode ann_{offers_, LifeId{100}};
  BotNode ben_{offers_, LifeId{200}};
};

std::string second_move(const bots::RemoteRequest& request) {
  return request.position.legal_moves.at(1);
}

TEST_F(ClusterBotsTest, ABotIsAskedAtTheServerThatHasIt) {
  const auto far = ben_.bot([](const bots::RemoteRequest& request) {
    EXPECT_EQ(request.position.seat, Seat{1});
    EXPECT_EQ(request.position.move_type, "a.Move");
    EXPECT_LE(request.time, 1h);
    return second_move(request);
  });
  ASSERT_TRUE(ben_.offer("far", far));
  EXPECT_THAT(ann_.offered(), IsEmpty());
  ann_.look();
  ben_.look();
  EXPECT_THAT(ann_.offered(), ElementsAre("ext/far"));
  EXPECT_EQ(ann_.ask("far"), "canonical second");
  EXPECT_EQ(ann_.metrics.remote_requests("answered").Value(), 1);
  EXPECT_EQ(ben_.metrics.remote_requests("answered").Value(), 1);
}

TEST_F(ClusterBotsTest, WhatCannotBeUsedIsToldToTheBot) {
  const auto far = ben_.bot([](const auto&) { return std::string("nonsense"); });
  ASSERT_TRUE(ben_.offer("far", far));
  ann_.look();
  EXPECT_EQ(ann_.ask("far"), std::nullopt);
  EXPECT_THAT(far->dismissed(1), ElementsAre("That cannot be."));
  EXPECT_EQ(ann_.metrics.remote_requests("illegal").Value(), 1);
  EXPECT_THAT(ann_.offered(), ElementsAre("ext/far"));
}

TEST_F(ClusterBotsTest, WhatIsStoppedIsDismissed) {
  const auto far = ben_.bot({});
  ASSERT_TRUE(ben_.offer("far", far));
  ann_.look();
  std::stop_source table;
  auto answer = ann_.begin("far", table.get_token());
  // Its question has come.
  while (far->asked == 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  table.request_stop();
  EXPECT_THAT(far->dismissed(1), ElementsAre("The table no longer needs a move."));
}

TEST_F(ClusterBotsTest, ALateBotIsDismissed) {
  BotNode impatient{offers_, LifeId{101}, 100ms};
  const auto far = ben_.bot({});
  ASSERT_TRUE(ben_.offer("far", far));
  impatient.look();
  EXPECT_EQ(impatient.ask("far"), std::nullopt);
  EXPECT_THAT(far->dismissed(1), ElementsAre("Too late."));
  // Both servers keep the time, and either may be first.
  EXPECT_EQ(impatient.metrics.remote_requests("late").Value() +
                impatient.metrics.remote_requests("left").Value(),
            1);
  EXPECT_THAT(impatient.offered(), ElementsAre("ext/far"));
}

TEST_F(ClusterBotsTest, ABotThatHasLeftIsForgottenWhenItIsAsked) {
  const auto far = ben_.bot(second_move);
  ASSERT_TRUE(ben_.offer("far", far));
  ann_.look();
  ben_.remote_bots.withdraw(*far);
  EXPECT_EQ(ann_.ask("far"), std::nullopt);
  while (!ann_.offered().empty()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  ben_.look();
  EXPECT_THAT(offers_.names(), IsEmpty());
  ann_.look();
  EXPECT_THAT(ann_.offered(), IsEmpty());
}

TEST_F(ClusterBotsTest, AServerThatIsGoneIsNotAskedAgainBeforeTheNextLook) {
  const auto far = ben_.bot(second_move);
  ASSERT_TRUE(ben_.offer("far", far));
  ann_.look();
  ben_.node.stop(0ms);
  EXPECT_EQ(ann_.ask("far"), std::nullopt);
  while (!ann_.offered().empty()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  ann_.look();
  EXPECT_THAT(ann_.offered(), ElementsAre("ext/far"));
}

TEST_F(ClusterBotsTest, ANameIsTakenOnceAmongAllServers) {
  ASSERT_TRUE(ben_.offer("one", ben_.bot(second_move)));
  EXPECT_EQ(ann_.offer("one", ann_.bot(second_move)).error().code, ErrorCode::kAlreadyOffered);
  EXPECT_EQ(ben_.offer("one", ben_.bot(second_move)).error().code, ErrorCode::kAlreadyOffered);
  ann_.look();
  ben_.look();
  EXPECT_THAT(offers_.names(), ElementsAre("ext/one"));
}

TEST_F(ClusterBotsTest, AfterItsDeathAServerOffersItsBotsAgain) {
  const auto stays = ben_.bot(second_move);
  const auto goes = ben_.bot(second_move);
  ASSERT_TRUE(ben_.offer("stays", stays));
  ASSERT_TRUE(ben_.offer("goes", goes));
  offers_.forget(ben_.life.id());
  ben_.life.begin_again();
  ASSERT_TRUE(ann_.offer("goes", ann_.bot(second_move)));
  ben_.look();
  EXPECT_EQ(goes->sent_away.get_future().get(), ErrorCode::kAlreadyOffered);
  ann_.look();
  EXPECT_THAT(ann_.offered(), ElementsAre("ext/goes", "ext/stays"));
  EXPECT_EQ(ann_.ask("stays"), "canonical second");
}

TEST_F(ClusterBotsTest, LooksGoOnUntilTheStop) {
  ann_.cluster.start();
  ASSERT_TRUE(ben_.offer("far", ben_.bot(second_move)));
  while (ann_.offered().empty()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  ann_.wait(ann_.cluster.stop());
}

}  // namespace
}  // namespace tesela::nodes
