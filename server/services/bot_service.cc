#include "server/services/bot_service.h"

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/limits.h"
#include "server/bots/bots.h"
#include "server/codec/shown_text.h"
#include "server/codec/wire_text.h"
#include "server/games/bot_question.h"
#include "server/games/codec_parts.h"
#include "server/games/games.h"
#include "server/rpc/grpc/grpc_methods.h"
#include "server/rpc/grpc_status.h"

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

/// Stores the bot's account. A new name counts as a sign-in of the address.
awaitable<Expected<void>> add_account(store::Store& store, quota::QuotaPtr from, std::string game,
                                      std::string strategy) {
  const auto known = co_await store.player(bots::account_of(game, strategy));
  if (!known && from && !from->take(quota::Act::kSignIn))
    co_return quota::too_often(quota::Act::kSignIn);
  co_return co_await bots::add_bot_account(store, std::move(game), std::move(strategy));
}

/// The slots that a stream holds until its end.
struct StreamSlots {
  quota::Slot connection;
  quota::Slots held;
};

/// Who offers the bot is known with the Offer: bots::RemoteBots limits those of one player.
Expected<StreamSlots> admit(quota::AdmissionControl& admission, const rpc::Caller& caller) {
  auto connection = rpc::admit_stream(admission, caller);
  if (!connection) return std::unexpected(std::move(connection.error()));
  auto held = admission.hold(quota::Held::kBotStream, caller.quota, std::nullopt);
  if (!held) return std::unexpected(std::move(held.error()));
  return StreamSlots{.connection = std::move(*connection), .held = std::move(*held)};
}

}  // namespace

/// A stream. It owns itself from `begin` or `refuse` until gRPC has done with it. What the bot says
/// is read one message after the other. gRPC is called on one context's thread alone and never
/// under a lock: it may call back from inside.
class BotService::Call final : public Reactor,
                               public bots::RemoteBot,
                               public std::enable_shared_from_this<Call> {
 public:
  Call(BotService& service, asio::io_context& context, quota::QuotaPtr from)
      : service_(service), context_(context), from_(std::move(from)), offer_time_(context) {}

  [[nodiscard]] const quota::QuotaPtr& from() const { return from_; }

  void begin(StreamSlots slots) {
    slots_ = std::move(slots);
    self_ = shared_from_this();
    StartSendInitialMetadata();
    offer_time_.expires_after(limits::kOfferTimeMax);
    offer_time_.async_wait([weak = weak_from_this()](const auto& error) {
      const auto self = weak.lock();
      if (error || !self || self->offered_) return;
      self->leave({StatusCode::DEADLINE_EXCEEDED, "The Offer did not come."});
    });
    read();
  }

  /// Ends a stream before it begins.
  void refuse(const Error& error) {
    self_ = shared_from_this();
    end(error);
  }

  /// Ends the stream and drops the messages that wait. Only the first end counts. Any thread.
  void end(const Error& error) { end(rpc::to_status(error)); }

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

  void send_away(const Error& why) override { leave(rpc::to_status(why)); }

  /// The stream ends with the session of its token. Error: kSessionEnded.
  [[nodiscard]] Expected<void> stay_with(accounts::Players& players, SessionId signed_in) {
    auto held = players.hold(signed_in, [this, weak = weak_from_this()] {
      asio::post(context_, [weak] {
        if (const auto self = weak.lock()) self->send_away(accounts::session_ended().error());
      });
    });
    if (!held) return std::unexpected(std::move(held.error()));
    signed_in_ = std::move(*held);
    return {};
  }

  void OnReadDone(bool ok) override {
    if (!ok) return leave(grpc::Status::OK);
    if (const auto fit = codec::check_no_nul(request_); !fit) {
      return leave(rpc::to_status(fit.error()));
    }
    if (request_.has_answer() && accepted_) {
      const auto& answer = request_.answer();
      service_.parts_.remote_bots.answer(*this, bots::BotRequestId{answer.question_id()},
                                         games::type_of(answer.move()), answer.move().value());
      read();
    } else if (request_.has_offer() && !offered_.exchange(true)) {
      asio::co_spawn(context_, enter(shared_from_this()), asio::detached);
    } else {
      leave({StatusCode::INVALID_ARGUMENT,
             "The first message is an Offer, and all others are an Answer."});
    }
  }

  void OnSendInitialMetadataDone(bool /*ok*/) override {}

  void OnWriteDone(bool ok) override {
    if (!ok) return end(grpc::Status::CANCELLED);
    {
      const std::lock_guard lock{mutex_};
      writing_ = false;
    }
    schedule();
  }

  void OnCancel() override { leave(grpc::Status::CANCELLED); }

  void OnDone() override {
    service_.withdraw(*this);
    service_.calls_.remove(*this);
    self_.reset();
  }

 private:
  using Message = std::shared_ptr<const PlayResponse>;

  void end(grpc::Status status) {
    {
      const std::lock_guard lock{mutex_};
      if (!ending_) ending_ = std::move(status);
    }
    schedule();
  }

  void read() {
    asio::post(context_, [self = shared_from_this()] {
      {
        const std::lock_guard lock{self->mutex_};
        if (self->ending_) return;
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
      gone = ending_.has_value();
      waiting_.push_front(message);
      accepted_ = true;
    }
    if (gone) {  // the stream had ended before its bot was offered
      service_.withdraw(*this);
      co_return;
    }
    schedule();
    read();
  }

  void push(Message message) {
    bool full = false;
    {
      const std::lock_guard lock{mutex_};
      if (ending_) return;
      full = waiting_.size() >= limits::kRemoteQueueMax;
      if (!full) waiting_.push_back(std::move(message));
    }
    if (full) {
      leave({StatusCode::RESOURCE_EXHAUSTED, "Questions came faster than they were read."});
    } else {
      schedule();
    }
  }

  /// Withdraws the bot's offer and ends the stream.
  void leave(grpc::Status status) {
    service_.withdraw(*this);
    end(std::move(status));
  }

  /// Sends the next message soon, if there is one.
  void schedule() {
    asio::post(context_, [self = shared_from_this()] { self->go_on(); });
  }

  void go_on() {
    std::optional<grpc::Status> end;
    {
      const std::lock_guard lock{mutex_};
      if (finished_ || (writing_ && !ending_)) return;
      if (!ending_) {
        if (!accepted_ || waiting_.empty()) return;
        current_ = std::move(waiting_.front());
        waiting_.pop_front();
      }
      finished_ = ending_.has_value();
      writing_ = !finished_;
      end = ending_;
    }
    if (end) {
      Finish(*end);
    } else {
      StartWrite(current_.get());
    }
  }

  BotService& service_;
  asio::io_context& context_;
  const quota::QuotaPtr from_;
  StreamSlots slots_;
  accounts::EndedSessions::Hold signed_in_;
  asio::steady_timer offer_time_;
  std::atomic<bool> offered_{false};
  std::atomic<bool> accepted_{false};
  PlayRequest request_;  // untouched while it is read
  Message current_;      // is being written
  std::mutex mutex_;
  std::deque<Message> waiting_;  // from here on guarded by `mutex_`
  std::optional<grpc::Status> ending_;
  bool writing_ = false;
  bool finished_ = false;
  std::shared_ptr<Call> self_;  // until gRPC has done with it
};

BotService::BotService(Parts parts)
    : parts_(parts),
      calls_({.most = limits::kRemoteStreamsMax,
              .full = "Too many bots are here; try again later.",
              .stopping = "The server is stopping; come back soon."}) {}

BotService::~BotService() = default;

BotService::Reactor* BotService::Play(grpc::CallbackServerContext* context) {
  const rpc::Caller caller = rpc::caller_of(parts_.admission, *context);
  const auto call = std::make_shared<Call>(*this, parts_.io.any(), caller.quota);
  auto slots = admit(parts_.admission, caller);
  if (!slots) {
    call->refuse(slots.error());
  } else if (auto added = calls_.add(*call); !added) {
    call->refuse(added.error());
  } else {
    call->begin(std::move(*slots));
  }
  return call.get();
}

void BotService::drain() {
  calls_.drain();
}

void BotService::withdraw(const Call& call) {
  const bool was_offered = parts_.remote_bots.withdraw(call);
  if (was_offered && parts_.cluster != nullptr) parts_.cluster->wake();
}

awaitable<Expected<std::string>> BotService::accept(bot::v1::Offer offer,
                                                    std::shared_ptr<Call> call) {
  const auto owner =
      co_await parts_.players.admit_to_play(std::move(*offer.mutable_token()), call->from());
  if (!owner) co_return std::unexpected(owner.error());
  if (auto lives = call->stay_with(parts_.players, owner->session); !lives) {
    co_return std::unexpected(std::move(lives.error()));
  }
  if (const auto game = games::find_game(offer.game()); !game) {
    co_return std::unexpected(game.error());
  }
  auto strategy = bots::remote_strategy(offer.name());
  if (!strategy) co_return strategy;
  auto description = read_description(offer.description());
  if (!description) co_return description;
  const PlayerId bot_account = bots::account_of(offer.game(), *strategy);
  if (auto may = parts_.players.may_play(bot_account); !may) {
    co_return std::unexpected(std::move(may.error()));
  }
  const auto account = co_await add_account(parts_.store, call->from(), offer.game(), *strategy);
  if (!account) co_return std::unexpected(account.error());
  const auto owned = co_await parts_.friends.own_bot(bot_account, owner->player);
  if (!owned) co_return std::unexpected(owned.error());
  bots::RemoteBots::Offer bot{.owner = owner->player,
                              .game = std::move(*offer.mutable_game()),
                              .strategy = *strategy,
                              .description = std::move(*description)};
  Expected<void> offered;
  if (parts_.cluster != nullptr) {
    offered = co_await parts_.cluster->offer(std::move(bot), std::move(call));
  } else {
    offered = parts_.remote_bots.offer(std::move(bot), std::move(call));
  }
  if (!offered) co_return std::unexpected(std::move(offered.error()));
  // What operators have forbidden meanwhile did not reach it.
  for (const PlayerId player : {owner->player, bot_account}) {
    auto may = parts_.players.may_play(player);
    if (!may) co_return std::unexpected(std::move(may.error()));
  }
  co_return strategy;
}

}  // namespace tesela::services
