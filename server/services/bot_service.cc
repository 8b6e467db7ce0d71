#include "server/services/bot_service.h"

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/limits.h"
#include "server/bots/bots.h"
#include "server/codec/shown_text.h"
#include "server/games/bot_question.h"
#include "server/games/codec_parts.h"
#include "server/games/games.h"
#include "server/rpc/client_address.h"
#include "server/rpc/grpc_status.h"
#include "server/rpc/push_stream.h"

namespace tesela::services {

namespace asio = boost::asio;
using asio::awaitable;
using bot::v1::PlayRequest;
using bot::v1::PlayResponse;
using grpc::StatusCode;

namespace {

Expected<std::string> read_description(const std::string& text) {
  if (text.size() > limits::kRemoteDescriptionBytesMax) {
    return refuse(ErrorCode::kInvalidArgument,
                  "description has " + std::to_string(text.size()) + " bytes; give at most " +
                      std::to_string(limits::kRemoteDescriptionBytesMax) + ".");
  }
  if (text.empty()) return text;
  return codec::shown_text(text, limits::kRemoteDescriptionBytesMax, "description");
}

/// A name that comes for the first time stores a player, and costs what a sign-in does.
awaitable<Expected<void>> add_account(store::Store& store, quota::QuotaPtr from, std::string game,
                                      std::string strategy) {
  const auto known = co_await store.player(bots::account_of(game, strategy));
  if (!known && from && !from->take(quota::Act::kSignIn))
    co_return quota::too_often(quota::Act::kSignIn);
  co_return co_await bots::add_bot_account(store, std::move(game), std::move(strategy));
}

}  // namespace

/// A stream. What the bot says is read one message after the other.
class BotService::Call final : public rpc::PushStream<PlayResponse, Reactor>,
                               public bots::RemoteBot {
 public:
  Call(BotService& service, asio::io_context& context, quota::QuotaPtr from)
      : PushStream(context), service_(service), from_(std::move(from)), offer_time_(context) {}

  [[nodiscard]] const quota::QuotaPtr& from() const { return from_; }

  void begin() {
    start();
    offer_time_.expires_after(limits::kOfferTimeMax);
    offer_time_.async_wait([weak = weak_from_this()](const auto& error) {
      const auto self = std::static_pointer_cast<Call>(weak.lock());
      if (error || !self || self->offered_) return;
      self->leave({StatusCode::DEADLINE_EXCEEDED, "The Offer did not come."});
    });
    read();
  }

  void ask(const bots::RemoteRequest& request) override {
    const auto message = std::make_shared<PlayResponse>();
    games::write(request.id.value, request.config, request.position, request.time,
                 *message->mutable_question());
    push(message);
  }

  void dismiss(bots::BotRequestId request, const std::string& why) override {
    const auto message = std::make_shared<PlayResponse>();
    message->mutable_dismissed()->set_question_id(request.value);
    message->mutable_dismissed()->set_message(why);
    push(message);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return leave(grpc::Status::OK);
    if (request_.has_answer() && accepted_) {
      const auto& answer = request_.answer();
      service_.parts_.remote_bots.answer(*this, bots::BotRequestId{answer.question_id()},
                                         games::type_of(answer.move()), answer.move().value());
      read();
    } else if (request_.has_offer() && !offered_.exchange(true)) {
      asio::co_spawn(context_, enter(self()), asio::detached);
    } else {
      leave({StatusCode::INVALID_ARGUMENT,
             "The first message is an Offer, and all others are an Answer."});
    }
  }

  void OnCancel() override { leave(grpc::Status::CANCELLED); }

 private:
  std::shared_ptr<Call> self() { return std::static_pointer_cast<Call>(shared_from_this()); }

  void read() {
    asio::post(context_, [self = self()] {
      {
        const std::lock_guard lock{self->mutex_};
        if (self->ending()) return;
      }
      self->StartRead(&self->request_);
    });
  }

  /// `self` keeps the stream alive.
  awaitable<void> enter(std::shared_ptr<Call> self) {
    auto accepting = service_.accept(std::move(*request_.mutable_offer()), self);
    const auto strategy = co_await std::move(accepting);
    if (!strategy) {
      leave(rpc::to_status(strategy.error()));
      co_return;
    }
    const auto message = std::make_shared<PlayResponse>();
    auto& accepted = *message->mutable_accepted();
    accepted.set_strategy(*strategy);
    accepted.set_move_ms(
        static_cast<std::uint32_t>(service_.parts_.remote_bots.time_max().count()));
    bool gone = false;
    {
      const std::lock_guard lock{mutex_};
      gone = ending();
      waiting_.push_front(message);
      accepted_ = true;
    }
    if (gone) {  // the stream had ended before its bot was offered
      service_.parts_.remote_bots.withdraw(*this);
      co_return;
    }
    schedule();
    read();
  }

  void push(Message message) {
    bool full = false;
    {
      const std::lock_guard lock{mutex_};
      if (ending()) return;
      full = waiting_.size() >= limits::kRemoteQueueMax;
      if (!full) waiting_.push_back(std::move(message));
    }
    if (full) {
      leave({StatusCode::RESOURCE_EXHAUSTED, "Questions came faster than they were read."});
    } else {
      schedule();
    }
  }

  /// Nobody asks the bot any more, and the stream ends.
  void leave(grpc::Status status) {
    service_.parts_.remote_bots.withdraw(*this);
    end(std::move(status));
  }

  Message take() override {
    if (!accepted_ || waiting_.empty()) return nullptr;
    Message next = std::move(waiting_.front());
    waiting_.pop_front();
    return next;
  }

  void done() override {
    service_.parts_.remote_bots.withdraw(*this);
    service_.calls_.remove(self());
  }

  BotService& service_;
  const quota::QuotaPtr from_;
  asio::steady_timer offer_time_;
  std::atomic<bool> offered_{false};
  PlayRequest request_;          // untouched while it is read
  std::deque<Message> waiting_;  // guarded by `mutex_`; questions may come before the Accepted
  std::atomic<bool> accepted_{false};
};

BotService::BotService(Parts parts)
    : parts_(parts),
      calls_({.most = limits::kRemoteStreamsMax,
              .full = "Too many bots are here; try again later.",
              .stopping = "The server is stopping; come back soon."}) {}

BotService::~BotService() = default;

BotService::Reactor* BotService::Play(grpc::CallbackServerContext* context) {
  const auto call =
      std::make_shared<Call>(*this, parts_.io.any(), rpc::quota_of(parts_.admission, *context));
  auto slots = rpc::slots_of(parts_.admission, *context, quota::Held::kBotStream);
  if (!slots) {
    call->refuse(slots.error());
  } else if (auto added = calls_.add(call); !added) {
    call->refuse(added.error());
  } else {
    call->hold(std::move(*slots));
    call->begin();
  }
  return call.get();
}

void BotService::drain() {
  calls_.drain();
}

awaitable<Expected<std::string>> BotService::accept(bot::v1::Offer offer,
                                                    std::shared_ptr<Call> call) {
  const auto owner = co_await parts_.players.admit(std::move(*offer.mutable_token()), call->from());
  if (!owner) co_return std::unexpected(owner.error());
  if (const auto game = games::find_game(offer.game()); !game) {
    co_return std::unexpected(game.error());
  }
  auto strategy = bots::remote_strategy(offer.name());
  if (!strategy) co_return strategy;
  auto description = read_description(offer.description());
  if (!description) co_return description;
  const auto account = co_await add_account(parts_.store, call->from(), offer.game(), *strategy);
  if (!account) co_return std::unexpected(account.error());
  bots::RemoteBots::Offer bot{.owner = owner->player,
                              .game = std::move(*offer.mutable_game()),
                              .strategy = *strategy,
                              .description = std::move(*description)};
  if (auto offered = parts_.remote_bots.offer(std::move(bot), std::move(call)); !offered) {
    co_return std::unexpected(std::move(offered.error()));
  }
  co_return strategy;
}

}  // namespace tesela::services
