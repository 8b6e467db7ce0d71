#include "server/services/node_bots.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "server/base/limits.h"
#include "server/base/loop.h"
#include "server/base/relay_limits.h"
#include "server/bots/bots.h"
#include "server/games/bot_request.h"
#include "server/games/codec_parts.h"

namespace tesela::services {

namespace asio = boost::asio;
using asio::awaitable;
using node::v1::AskBotRequest;
using node::v1::AskBotResponse;
using node::v1::DismissBotRequest;
using node::v1::DismissBotResponse;
using std::chrono::milliseconds;

namespace {

Expected<void> check(const AskBotRequest& request) {
  const bool good = request.key().size() == limits::kBotQuestionKeyBytes &&
                    bots::is_remote(request.strategy()) && request.has_question() &&
                    request.question().deadline_ms() > 0;
  if (good) return {};
  return refuse(ErrorCode::kInvalidArgument, "This is no question to a bot.");
}

games::BotRequest position_in(const AskBotRequest& request) {
  games::BotRequest position{.seat = Seat{static_cast<Seat::rep>(request.question().seat())},
                             .view = request.question().view().SerializeAsString(),
                             .move_type = request.move_type(),
                             .legal_moves = {},
                             // The server that asks knows the rules' answer.
                             .judge = [](std::string_view move) -> Expected<std::string> {
                               if (move.size() <= limits::kFrameBytesMax) return std::string{move};
                               return refuse(ErrorCode::kInvalidArgument, "The move is too long.");
                             }};
  const auto& question = request.question();
  for (const auto& move : question.legal_moves()) position.legal_moves.push_back(move.value());
  position.game = {.table = question.table_id(),
                   .version = Version{question.version()},
                   .ranked = question.ranked(),
                   .players = {question.players().begin(), question.players().end()}};
  return position;
}

}  // namespace

/// Shared with the code that ends the question. Used by the thread of the call.
struct NodeBots::Asking {
  Asking(const asio::any_io_executor& executor, milliseconds time)
      : caller(executor), ended(executor, time) {}

  const base::Continuation caller;
  asio::steady_timer ended;  // cancelled when the reply is there, or will not come
  std::optional<games::BotReply> reply{};
};

std::vector<rpc::Method> NodeBots::methods() {
  return rpc::methods_of(
      "tesela.node.v1.NodeBotService",
      {rpc::method_by(*this, &NodeBots::ask), rpc::method_by(*this, &NodeBots::dismiss)});
}

awaitable<Expected<AskBotResponse>> NodeBots::ask(AskBotRequest request, rpc::Caller /*caller*/) {
  if (auto checked = check(request); !checked) co_return std::unexpected(checked.error());
  if (!has(request.game(), request.strategy())) {
    co_return refuse(ErrorCode::kNotFound, "This bot is not offered here.");
  }
  const milliseconds time{request.question().deadline_ms()};
  const auto executor = co_await asio::this_coro::executor;
  const auto asking = std::make_shared<Asking>(executor, time + limits::kBotElsewhereGrace / 2);
  bots::RemoteBots::Request question{
      .game = request.game(),
      .strategy = request.strategy(),
      .config = request.question().config().SerializeAsString(),
      .position = position_in(request),
      .stop = {},
      .answer =
          [asking](std::optional<games::BotReply> reply) {
            asking->caller.post([asking, reply = std::move(reply)]() mutable {
              asking->reply = std::move(reply);
              asking->ended.cancel();
            });
          },
      .only_here = true,
      .time = time};
  const bots::BotRequestId id = remote_bots_.ask(std::move(question));
  {
    const std::scoped_lock lock(mutex_);
    open_.insert_or_assign(request.key(), Open{.question = id, .asking = asking});
  }
  co_await asking->ended.async_wait(base::use_tuple);
  {
    const std::scoped_lock lock(mutex_);
    // A server that lost the answer on its way asks again with the same key.
    const auto found = open_.find(request.key());
    if (found != open_.end() && found->second.asking == asking) open_.erase(found);
  }
  AskBotResponse response;
  response.set_question_id(id.value);
  if (asking->reply) {
    response.mutable_move()->set_type_url(games::type_url_of(request.move_type()));
    response.mutable_move()->set_value(asking->reply->move);
  }
  co_return response;
}

awaitable<Expected<DismissBotResponse>> NodeBots::dismiss(DismissBotRequest request,
                                                          rpc::Caller /*caller*/) {
  if (request.has_question_id()) {
    const bots::BotRequestId question{request.question_id()};
    remote_bots_.dismiss(request.game(), request.strategy(), question, request.message());
  }
  std::optional<Open> open;
  if (request.has_key()) {
    const std::scoped_lock lock(mutex_);
    if (const auto found = open_.find(request.key()); found != open_.end()) open = found->second;
  }
  if (open) {
    remote_bots_.stop(open->question, request.message());
    open->asking->caller.post([asking = open->asking] { asking->ended.cancel(); });
  }
  co_return DismissBotResponse{};
}

bool NodeBots::has(const std::string& game, const std::string& strategy) const {
  return std::ranges::any_of(remote_bots_.here(), [&](const bots::RemoteBots::Entry& bot) {
    return bot.offer.game == game && bot.offer.strategy == strategy;
  });
}

}  // namespace tesela::services
