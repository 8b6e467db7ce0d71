#include "server/nodes/searches/search_relays.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
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

/// A call that another server answers, and the quota that it takes meanwhile.
struct Remote final : public rpc::Stream {
  Remote(std::shared_ptr<Relay> relay, const pb::Message& empty, std::shared_ptr<quota::Slots> held,
         base::Places::Place taken)
      : answer(std::move(relay), empty), slots(std::move(held)), place(std::move(taken)) {}

  awaitable<Expected<rpc::MessagePtr>> next() override { return answer.next(); }

  StreamAnswer answer;
  const std::shared_ptr<quota::Slots> slots;
  const base::Places::Place place;
};

/// From limits::kSearchAgainInterval to twice as long.
milliseconds again_after() {
  const auto part = base::random_secret().front();
  return limits::kSearchAgainInterval + limits::kSearchAgainInterval * part / 256;
}

}  // namespace

/// The stream of one caller, from this server or another.
class SearchRelays::Call final : public rpc::Stream {
 public:
  Call(SearchRelays& relays, Here here, HoldCall hold, rpc::RequestPtr request, rpc::Caller caller)
      : relays_(relays),
        here_(std::move(here)),
        hold_(std::move(hold)),
        request_(std::move(request)),
        caller_(std::move(caller)) {
    if (!caller_.began) caller_.began = steady_clock::now();
  }

  awaitable<Expected<rpc::MessagePtr>> next() override {
    for (;;) {
      auto message = co_await attempt();
      if (message) failing_since_.reset();
      if (message || message.error().code != ErrorCode::kFenced) co_return message;
      stream_.reset();
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
      relays_.parts_.metrics.relays("search_again").Increment();
    }
    if (relays_.parts_.relays.stopping()) {
      return Error{ErrorCode::kUnavailable, "The server is stopping; search again in a moment."};
    }
    if (now - *failing_since_ < relays_.parts_.hold_time) return std::nullopt;
    error.code = ErrorCode::kUnavailable;
    return error;
  }

  awaitable<Expected<rpc::StreamPtr>> open() {
    if (relays_.parts_.leads()) {
      rpc::RequestPtr copy{request_->New()};
      copy->CopyFrom(*request_);
      co_return co_await here_->open(std::move(copy), caller_);
    }
    auto leader = co_await relays_.leader();
    if (!leader) co_return std::unexpected(std::move(leader.error()));
    co_return co_await open_at(std::move(*leader));
  }

  awaitable<Expected<rpc::StreamPtr>> open_at(RemoteOwner leader) {
    auto slots = hold_(caller_);
    if (!slots) co_return std::unexpected(std::move(slots.error()));
    auto place = relays_.places_.take();
    if (!place) {
      co_return refuse(ErrorCode::kResourceExhausted,
                       "Too many players are searching; try again later.");
    }
    CallRequest call = request_of(*here_, *request_, caller_);
    std::string body = std::move(call.body);
    // The edges run calls on loops, each of which has its sockets.
    base::Loop& loop = *base::Loop::current();
    auto opened = co_await relays_.parts_.relays.open(loop, std::move(call), std::move(leader));
    if (opened.answer == Answer::kStranger) {
      co_return refuse(ErrorCode::kUnavailable,
                       "The server that finds opponents cannot be asked: try again later.");
    }
    if (!opened.relay) co_return nobody_leads();
    const auto* type = here_->descriptor->output_type();
    auto remote = std::make_unique<Remote>(
        std::move(opened.relay), *pb::MessageFactory::generated_factory()->GetPrototype(type),
        std::move(*slots), std::move(place));
    auto begun = co_await remote->answer.begin(std::move(body));
    if (!begun) co_return std::unexpected(std::move(begun.error()));
    relays_.parts_.metrics.relays("search").Increment();
    co_return rpc::StreamPtr(std::move(remote));
  }

  SearchRelays& relays_;
  const Here here_;
  const HoldCall hold_;
  const rpc::RequestPtr request_;
  rpc::Caller caller_;
  rpc::StreamPtr stream_;  // null: to be opened
  std::optional<steady_clock::time_point> failing_since_;
};

SearchRelays::SearchRelays(Parts parts)
    : parts_(std::move(parts)),
      pause_(parts_.loop),
      ended_(parts_.loop, steady_clock::time_point::max()) {}

std::vector<rpc::Method> SearchRelays::relayed(std::vector<rpc::Method> methods, HoldCall hold) {
  for (rpc::Method& method : methods) {
    auto here = std::make_shared<const rpc::Method>(method);
    method.open = [this, here = std::move(here), hold](rpc::RequestPtr request,
                                                       rpc::Caller caller) {
      return open(here, hold, std::move(request), std::move(caller));
    };
  }
  return methods;
}

awaitable<Expected<rpc::StreamPtr>> SearchRelays::open(Here here, HoldCall hold,
                                                       rpc::RequestPtr request,
                                                       rpc::Caller caller) {
  co_return std::make_unique<Call>(*this, std::move(here), std::move(hold), std::move(request),
                                   std::move(caller));
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
  auto found = co_await parts_.ownership.holder(parts_.duty);
  const std::scoped_lock lock(look->mutex);
  look->found = found;
  look->at = steady_clock::now();
  co_return look->found;
}

void SearchRelays::start() {
  running_ = true;
  parts_.loop.spawn(watch(), [this](const std::exception_ptr& thrown) {
    if (thrown) spdlog::error("the watch of searches ended by an exception");
    running_ = false;
    ended_.cancel();
  });
}

awaitable<void> SearchRelays::stop() {
  co_await parts_.loop.call(stop_here());
}

awaitable<void> SearchRelays::stop_here() {
  stopping_ = true;
  pause_.cancel();
  while (running_) co_await ended_.async_wait(asio::as_tuple(asio::use_awaitable));
}

/// A server that stands still, or has been declared dead without knowing it, ends no search.
awaitable<void> SearchRelays::watch() {
  while (!stopping_) {
    pause_.expires_after(limits::kLeaderCheckInterval);
    co_await pause_.async_wait(asio::as_tuple(asio::use_awaitable));
    if (stopping_ || !parts_.relays.any_open()) continue;
    const auto leader = co_await parts_.ownership.holder(parts_.duty);
    if (!leader) continue;
    std::optional<store::LifeId> life;
    if (*leader) life = (*leader)->life;
    parts_.relays.close_but(life);
  }
}

}  // namespace tesela::nodes
