#include "server/rpc/calls.h"

#include <spdlog/spdlog.h>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <string>
#include <utility>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/log/seldom_log.h"
#include "server/base/text_encoding.h"
#include "server/codec/wire_text.h"
#include "server/net/client.h"
#include "server/net/race.h"
#include "server/rpc/connect_error.h"
#include "server/rpc/grpc_status.h"

namespace tesela::rpc {
namespace {

namespace asio = boost::asio;
using asio::awaitable;

// Of a call that the server has failed at: what its caller was told with the id is found here.
void tell_failure(const CallRecord& call, std::string_view error) {
  static auto lines = base::SeldomLog::of_strangers();
  lines.log(spdlog::level::err, "call failed",
            {{"method", call.method->path}, {"request", call.id}, {"error", error}});
}

grpc::Status refusal(const CallRecord& call, const Error& error) {
  if (error.code == ErrorCode::kInternal || error.code == ErrorCode::kCorrupt) {
    tell_failure(call, error.message);
  }
  return with_request(to_status(error), call.id);
}

grpc::Status mistake(const CallRecord& call, const std::exception_ptr& fault) {
  try {
    std::rethrow_exception(fault);
  } catch (const std::exception& error) {
    tell_failure(call, error.what());
  }
  return with_request(to_status({ErrorCode::kInternal, "The server made a mistake."}), call.id);
}

// Turns errors and exceptions of `work` into a status.
template <class T>
awaitable<std::expected<T, grpc::Status>> guard(const CallRecord& call,
                                                awaitable<Expected<T>> work) {
  std::exception_ptr fault;
  try {
    auto outcome = co_await std::move(work);
    if (!outcome) co_return std::unexpected(refusal(call, outcome.error()));
    co_return std::move(*outcome);
  } catch (...) {
    fault = std::current_exception();
  }
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    co_return std::unexpected(grpc::Status::CANCELLED);
  }
  co_return std::unexpected(mistake(call, fault));
}

// A call over gRPC is a request of its address; over HTTP it was counted as one.
Expected<void> count(const Caller& caller) {
  if (!caller.over_grpc || !caller.quota || caller.quota->take(quota::Act::kRequest)) return {};
  return quota::too_often(quota::Act::kRequest);
}

}  // namespace

Expected<quota::Slot> admit_stream(quota::AdmissionControl& admission, const Caller& caller) {
  if (auto counted = count(caller); !counted) return std::unexpected(std::move(counted.error()));
  if (!caller.shares_connection) return quota::Slot{};
  auto slot = admission.enter(caller.quota);
  if (!slot) return refuse(ErrorCode::kResourceExhausted, std::string{net::kTooManyFromAddress});
  return std::move(*slot);
}

Calls::Calls(std::initializer_list<std::vector<Method>> services,
             quota::AdmissionControl& admission, metrics::Metrics& metrics,
             const accounts::Tokens* tokens)
    : admission_(admission), metrics_(metrics), tokens_(tokens), first_id_(base::random_number()) {
  for (const std::vector<Method>& methods : services) {
    for (const Method& method : methods) {
      Method& added = methods_.emplace(method.path, method).first->second;
      if (added.answer) added.seconds = &metrics.rpc_seconds(added.path);
    }
  }
}

const Method* Calls::find(std::string_view path) const {
  const auto at = methods_.find(path);
  return at == methods_.end() ? nullptr : &at->second;
}

void Calls::answer(const asio::any_io_executor& executor, const Method& method, RequestPtr request,
                   Caller caller, std::function<void(Reply)> done) {
  CallRecord call = record_of(method, caller);
  auto fit = count(caller);
  if (fit) fit = codec::check_no_nul(*request);
  if (!fit) {
    grpc::Status refused = refusal(call, fit.error());
    ended(call, refused);
    return done(std::unexpected(std::move(refused)));
  }
  asio::co_spawn(executor, method.answer(std::move(request), std::move(caller)),
                 [this, call = std::move(call), done = std::move(done)](
                     const std::exception_ptr& fault, Expected<MessagePtr> outcome) {
                   Reply reply;
                   if (fault) {
                     reply = std::unexpected(mistake(call, fault));
                   } else if (!outcome) {
                     reply = std::unexpected(refusal(call, outcome.error()));
                   } else {
                     reply = std::move(*outcome);
                   }
                   ended(call, reply ? grpc::Status::OK : reply.error());
                   done(std::move(reply));
                 });
}

std::unique_ptr<StreamCall> Calls::stream(const Method& method) {
  return std::make_unique<StreamCall>(*this, method);
}

CallRecord Calls::record_of(const Method& method, Caller& caller) {
  // Unlike those of another server or life. An odd factor gives each number another one.
  const std::uint64_t number = calls_.fetch_add(1, std::memory_order_relaxed);
  const TableId id{(first_id_ + number * 0x9e3779b97f4a7c15U) >> 1U};
  CallRecord call{.method = &method, .id = base::to_text(id), .address = caller.address};
  if (tracing::is_on()) {
    call.parent = caller.trace.span;
    call.trace = caller.trace = tracing::begin(caller.trace);
  }
  return call;
}

grpc::Status Calls::refused(const Method& method, Caller caller, const grpc::Status& status) {
  const CallRecord call = record_of(method, caller);
  ended(call, status);
  return with_request(status, call.id);
}

void Calls::ended(const CallRecord& call, const grpc::Status& status) {
  const std::string_view code = connect_code(status.error_code());
  const double seconds = base::seconds_since(call.began);
  metrics_.rpcs(call.method->path, code).Increment();
  if (call.method->seconds != nullptr) call.method->seconds->observe(seconds);
  if (call.trace) {
    tracing::end({.context = call.trace,
                  .parent = call.parent,
                  .name = call.method->path,
                  .is_call = true,
                  .failed = !status.ok(),
                  .begin = call.began,
                  .end = std::chrono::steady_clock::now(),
                  .attributes = {{"code", std::string{code}}, {"request", call.id}}});
  }
  if (!spdlog::should_log(spdlog::level::debug)) return;
  static auto lines = base::SeldomLog::of_players();
  lines.log(spdlog::level::debug, "call",
            {{"method", call.method->path},
             {"code", code},
             {"ms", base::rounded(seconds * 1000)},
             {"request", call.id},
             {"address", call.address ? call.address->to_string() : std::string{}}});
}

StreamCall::~StreamCall() {
  calls_.ended(call_, status_);
}

awaitable<grpc::Status> StreamCall::begin(RequestPtr request, Caller caller) {
  call_ = calls_.record_of(*call_.method, caller);
  auto connection = admit_stream(calls_.admission_, caller);
  if (!connection) co_return status_ = refusal(call_, connection.error());
  if (const auto fit = codec::check_no_nul(*request); !fit) {
    co_return status_ = refusal(call_, fit.error());
  }
  connection_ = std::move(*connection);
  std::string token = caller.token;
  auto opening = call_.method->open(std::move(request), std::move(caller));
  auto opened = co_await guard(call_, std::move(opening));
  if (!opened) co_return status_ = opened.error();
  stream_ = std::move(*opened);
  const auto lives = co_await stay_with_session(std::move(token));
  if (!lives) co_return status_ = refusal(call_, lives.error());
  co_return grpc::Status::OK;
}

// Whether any other token that is not valid is refused, the method has decided.
awaitable<Expected<void>> StreamCall::stay_with_session(std::string token) {
  if (calls_.tokens_ == nullptr) co_return Expected<void>{};
  const auto identity = calls_.tokens_->verify(token);
  if (!identity && identity.error().code == ErrorCode::kSessionEnded) {
    co_return std::unexpected(identity.error());
  }
  if (!identity || identity->session == SessionId{}) co_return Expected<void>{};
  std::function<void()> end;
  if (auto ender = stream_->ender()) {
    end = [ender = std::move(ender)] { ender(accounts::session_ended().error()); };
  } else {
    session_end_ = std::make_shared<SessionEnd>(co_await asio::this_coro::executor);
    end = [ended = session_end_] {
      ended->there = true;
      ended->wake.notify();
    };
  }
  auto held = calls_.tokens_->sessions().hold(identity->session, std::move(end));
  if (!held) co_return std::unexpected(std::move(held.error()));
  signed_in_ = std::move(*held);
  co_return Expected<void>{};
}

awaitable<void> StreamCall::session_end() {
  while (!session_end_->there) co_await session_end_->wake.wait();
}

awaitable<Reply> StreamCall::next() {
  Reply reply;
  if (session_end_) {
    auto message = guard(call_, stream_->next());
    auto first = co_await net::result_before(std::move(message), session_end());
    reply = first ? std::move(*first)
                  : std::unexpected(refusal(call_, accounts::session_ended().error()));
  } else {
    reply = co_await guard(call_, stream_->next());
  }
  if (!reply) status_ = reply.error();
  if (reply && !*reply) status_ = grpc::Status::OK;
  co_return reply;
}

}  // namespace tesela::rpc
