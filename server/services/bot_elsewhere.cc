#include "server/services/bot_elsewhere.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "server/base/crypto.h"
#include "server/base/loop.h"
#include "server/base/relay_limits.h"
#include "server/games/bot_question.h"
#include "server/games/codec_parts.h"

namespace tesela::services {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using node::v1::AskBotRequest;
using node::v1::AskBotResponse;
using node::v1::DismissBotRequest;
using node::v1::DismissBotResponse;
using std::chrono::steady_clock;

constexpr std::string_view kAskBot = "/tesela.node.v1.NodeBotService/AskBot";
constexpr std::string_view kDismissBot = "/tesela.node.v1.NodeBotService/DismissBot";

std::string random_key() {
  const auto secret = base::random_secret();
  static_assert(sizeof secret == limits::kBotQuestionKeyBytes);
  return {reinterpret_cast<const char*>(secret.data()), secret.size()};
}

/// Whether the other server, or the bot there, is gone.
bool is_gone(const Error& error) {
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kUnavailable;
}

}  // namespace

BotElsewhere::BotElsewhere(Parts parts, std::string game, std::string strategy, std::string address)
    : parts_(parts),
      game_(std::move(game)),
      strategy_(std::move(strategy)),
      address_(std::move(address)) {}

void BotElsewhere::ask(const bots::RemoteRequest& request) {
  AskBotRequest asked;
  asked.set_game(game_);
  asked.set_strategy(strategy_);
  games::write(0, request.config, request.position, request.time, *asked.mutable_question());
  asked.set_move_type(request.position.move_type);
  asked.set_key(random_key());
  {
    const std::scoped_lock lock(mutex_);
    asked_.emplace(request.id, Asked{.key = asked.key()});
  }
  const auto until = steady_clock::now() + request.time + limits::kBotElsewhereGrace;
  parts_.io.any().spawn(ask_there(shared_from_this(), request.id, std::move(asked), until),
                        [](const std::exception_ptr&) {});
}

/// `self` keeps the bot.
awaitable<void> BotElsewhere::ask_there(std::shared_ptr<BotElsewhere> self,
                                        bots::BotRequestId request, AskBotRequest asked,
                                        steady_clock::time_point until) {
  auto asking = parts_.calls.call_for<AskBotResponse>(address_, kAskBot, asked, until);
  auto answer = co_await std::move(asking);
  // A server that is full for a moment is not gone, nor is the bot.
  const bool late = steady_clock::now() + limits::kRelayRetryInterval >= until;
  if (!answer && answer.error().code == ErrorCode::kUnavailable && !late) {
    asio::steady_timer pause(co_await asio::this_coro::executor, limits::kRelayRetryInterval);
    co_await pause.async_wait(asio::use_awaitable);
    auto again = parts_.calls.call_for<AskBotResponse>(address_, kAskBot, asked, until);
    answer = co_await std::move(again);
  }
  if (answer && (*answer)->has_move()) {
    const auto& move = (*answer)->move();
    answered(request, (*answer)->question_id());
    parts_.remote_bots.answer(*self, request, games::type_of(move), move.value());
  } else if (answer || !is_gone(answer.error())) {
    parts_.remote_bots.give_up(*self, request);
  } else {
    // Until ClusterBots finds it again: the tables need not wait for each of its moves.
    parts_.remote_bots.withdraw(*self);
  }
  forget(request);
}

void BotElsewhere::dismiss(bots::BotRequestId request, const std::string& why) {
  DismissBotRequest dismissal;
  dismissal.set_game(game_);
  dismissal.set_strategy(strategy_);
  dismissal.set_message(why);
  {
    const std::scoped_lock lock(mutex_);
    const auto found = asked_.find(request);
    if (found == asked_.end()) return;
    if (found->second.question) {
      dismissal.set_question_id(*found->second.question);
    } else {
      dismissal.set_key(found->second.key);
    }
  }
  parts_.io.any().spawn(dismiss_there(shared_from_this(), std::move(dismissal)),
                        [](const std::exception_ptr&) {});
}

awaitable<void> BotElsewhere::dismiss_there(std::shared_ptr<BotElsewhere> /*self*/,
                                            DismissBotRequest dismissal) {
  const auto until = steady_clock::now() + limits::kBotDismissalTimeMax;
  auto dismissing =
      parts_.calls.call_for<DismissBotResponse>(address_, kDismissBot, dismissal, until);
  static_cast<void>(co_await std::move(dismissing));
}

void BotElsewhere::answered(bots::BotRequestId request, std::uint64_t question) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = asked_.find(request); found != asked_.end()) {
    found->second.question = question;
  }
}

void BotElsewhere::forget(bots::BotRequestId request) {
  const std::scoped_lock lock(mutex_);
  asked_.erase(request);
}

}  // namespace tesela::services
