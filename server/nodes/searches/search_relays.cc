#include "server/nodes/searches/search_relays.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <optional>
#include <string>
#include <utility>

#include "server/base/crypto.h"
#include "server/nodes/connect_request.h"
#include "server/nodes/node_address.h"
#include "server/nodes/relay_headers.h"
#include "server/nodes/searches/stream_answer.h"
#include "server/rpc/connect_codec.h"
#include "server/store/refusals.h"

namespace tesela::nodes {
namespace {

namespace asio = boost::asio;
namespace pb = google::protobuf;
using asio::awaitable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A deadline ends a call where its caller is: the other server notices that, and ends it by its
/// own clock a little later if it does not.
constexpr milliseconds kDeadlineSlack{1000};

std::unexpected<Error> nobody_leads() {
  return refuse(ErrorCode::kFenced, "No server finds opponents now: search again in a moment.");
}

/// The call as any client makes it in the Connect protocol.
CallRequest request_of(const rpc::Method& method, const pb::Message& message,
                       const rpc::Caller& caller) {
  const auto now = steady_clock::now();
  std::optional<milliseconds> time;
  if (caller.deadline != steady_clock::time_point::max()) {
    const auto left = std::chrono::ceil<milliseconds>(caller.deadline - now);
    time = std::max(left, milliseconds{0}) + kDeadlineSlack;
  }
  CallRequest call = connect_request(method.path, "application/connect+proto",
                                     rpc::envelope(0, message.SerializeAsString()), time);
  call.client = caller.address.value_or(asio::ip::address{});
  call.until = caller.deadline;
  show_token(call, caller.token);
  const auto age = std::chrono::duration_cast<milliseconds>(now - caller.began.value_or(now));
  call.head.set(view(kAgeField), std::to_string(age.count()));
  if (caller.counted) call.head.set(view(kAgainField), "1");
  return call;
}

/// From limits::kSearchAgainInterval to twice as long.
milliseconds again_after() {
  const auto part = base::random_secret().front();
  return limits::kSearchAgainInterval + limits::kSearchAgainInterval * part / 256;
}

}  // namespace

/// The stream of one caller, from this server or another.
class SearchRelays::Call final : public rpc::Stream {
 public:
  Call(SearchRelays& relays, rpc::RequestPtr request, rpc::Caller caller)
      : relays_(relays),
        parts_(relays.parts_),
        request_(std::move(request)),
        caller_(std::move(caller)) {
    if (!caller_.began) caller_.began = steady_clock::now();
  }

  awaitable<Expected<rpc::MessagePtr>> next() override {
    for (;;) {
      auto message = co_await attempt();
      if (message) failing_since_.reset();
      if (message || message.error().code != ErrorCode::kFenced) co_return message;
      close();
      const auto state = co_await asio::this_coro::cancellation_state;
      const bool hung_up = state.cancelled() != asio::cancellation_type::none;
      if (auto over = hung_up ? std::nullopt : note_failure(std::move(message.error()))) {
        co_return std::unexpected(std::move(*over));
      }
      // The holder of the duty is looked up again after it (limits::kLeaderKnownTime).
      asio::steady_timer pause(co_await asio::this_coro::executor, again_after());
      co_await pause.async_wait(net::use_tuple);
    }
  }

 private:
  awaitable<Expected<rpc::MessagePtr>> attempt() {
    if (!stream_) {
      auto opened = co_await open();
      if (!opened) co_return std::unexpected(std::move(opened.error()));
      stream_ = std::move(*opened);
      caller_.counted = true;
    }
    co_return co_await stream_->next();
  }

  /// The error of the call, if it does not begin again.
  std::optional<Error> note_failure(Error error) {
    const auto now = steady_clock::now();
    if (!failing_since_) {
      failing_since_ = now;
      parts_.metrics.relays("search_again").Increment();
    }
    if (parts_.relays.stopping()) {
      return Error{ErrorCode::kUnavailable, "The server is stopping; search again in a moment."};
    }
    if (now - *failing_since_ < parts_.hold_time) return std::nullopt;
    error.code = ErrorCode::kUnavailable;
    return error;
  }

  awaitable<Expected<rpc::StreamPtr>> open() {
    if (parts_.leads()) {
      rpc::RequestPtr copy{request_->New()};
      copy->CopyFrom(*request_);
      co_return co_await parts_.find.open(std::move(copy), caller_);
    }
    auto leader = co_await relays_.leader();
    if (!leader) co_return std::unexpected(std::move(leader.error()));
    co_return co_await open_at(std::move(*leader));
  }

  awaitable<Expected<rpc::StreamPtr>> open_at(RemoteOwner leader) {
    auto slots = parts_.hold(caller_);
    if (!slots) co_return std::unexpected(std::move(slots.error()));
    slots_ = std::move(*slots);
    place_ = relays_.places_.take();
    if (!place_) {
      co_return refuse(ErrorCode::kResourceExhausted,
                       "Too many players are searching; try again later.");
    }
    CallRequest call = request_of(parts_.find, *request_, caller_);
    std::string body = std::move(call.body);
    // The edges run calls on loops, each of which has its sockets.
    base::Loop& loop = *base::Loop::current();
    auto opened = co_await parts_.relays.open(loop, std::move(call), std::move(leader));
    if (opened.answer == Answer::kStranger) {
      co_return refuse(ErrorCode::kUnavailable,
                       "The server that finds opponents cannot be asked: try again later.");
    }
    if (!opened.relay) co_return nobody_leads();
    const auto* type = parts_.find.descriptor->output_type();
    auto answer = std::make_unique<StreamAnswer>(
        std::move(opened.relay), *pb::MessageFactory::generated_factory()->GetPrototype(type));
    auto begun = co_await answer->begin(std::move(body));
    if (!begun) co_return std::unexpected(std::move(begun.error()));
    parts_.metrics.relays("search").Increment();
    co_return rpc::StreamPtr(std::move(answer));
  }

  void close() {
    stream_.reset();
    slots_.reset();
    place_.reset();
  }

  SearchRelays& relays_;
  const Parts& parts_;
  const rpc::RequestPtr request_;
  rpc::Caller caller_;
  rpc::StreamPtr stream_;  // null: to be opened
  // Of a search that another server answers.
  std::shared_ptr<quota::Slots> slots_;
  base::Places::Place place_;
  std::optional<steady_clock::time_point> failing_since_;
};

SearchRelays::SearchRelays(Parts parts)
    : Worker(parts.loop, "watch of searches"), parts_(std::move(parts)) {}

rpc::Method SearchRelays::find() {
  rpc::Method method = parts_.find;
  method.open = [this](rpc::RequestPtr request, rpc::Caller caller) {
    return open(std::move(request), std::move(caller));
  };
  return method;
}

awaitable<Expected<rpc::StreamPtr>> SearchRelays::open(rpc::RequestPtr request,
                                                       rpc::Caller caller) {
  co_return std::make_unique<Call>(*this, std::move(request), std::move(caller));
}

awaitable<Expected<RemoteOwner>> SearchRelays::leader() {
  const auto found = co_await look();
  if (!found) co_return nobody_leads();
  if (!*found) co_return refuse(ErrorCode::kFenced, found->error().message);
  const std::optional<store::Owner>& leader = **found;
  if (!leader || leader->life == parts_.life.id()) co_return nobody_leads();
  auto address = parse_node_address(leader->address);
  if (!address) {
    co_return refuse(ErrorCode::kUnavailable, store::not_the_matcher().error().message);
  }
  RemoteOwner remote{.life = leader->life, .address = std::move(*address)};
  co_return std::move(remote);
}

/// Empty while another call looks.
awaitable<std::optional<Expected<std::optional<store::Owner>>>> SearchRelays::look() {
  const auto look = look_;
  {
    const std::scoped_lock lock(look->mutex);
    const auto age = steady_clock::now() - look->at;
    if (look->found && age < limits::kLeaderKnownTime) co_return look->found;
    if (look->under_way) co_return std::nullopt;
    look->under_way = true;
  }
  // Also when the call is given up meanwhile.
  const std::shared_ptr<void> end(nullptr, [look](void* /*nothing*/) {
    const std::scoped_lock lock(look->mutex);
    look->under_way = false;
  });
  auto found = co_await parts_.ownership.holder(store::Duty::kMatch);
  const std::scoped_lock lock(look->mutex);
  look->found = found;
  look->at = steady_clock::now();
  co_return look->found;
}

/// A server that stands still, or has been declared dead without knowing it, ends no search.
awaitable<void> SearchRelays::run() {
  while (!stopping()) {
    co_await pause(limits::kLeaderCheckInterval);
    if (stopping() || !parts_.relays.any_open()) continue;
    const auto leader = co_await parts_.ownership.holder(store::Duty::kMatch);
    if (!leader) continue;
    std::optional<store::LifeId> life;
    if (*leader) life = (*leader)->life;
    parts_.relays.close_but(life);
  }
}

}  // namespace tesela::nodes
