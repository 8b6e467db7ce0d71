#include "server/rpc/calls.h"

#include <spdlog/spdlog.h>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <string>
#include <utility>

#include "server/base/seldom_log.h"
#include "server/codec/wire_text.h"
#include "server/net/client.h"
#include "server/rpc/connect_error.h"
#include "server/rpc/grpc_status.h"

namespace tesela::rpc {
namespace {

namespace asio = boost::asio;
using asio::awaitable;

grpc::Status mistake(const Method& method, const std::exception_ptr& fault) {
  try {
    std::rethrow_exception(fault);
  } catch (const std::exception& error) {
    static base::SeldomLog lines;
    lines.log(spdlog::level::err, "a call of {} failed: {}", method.path, error.what());
  }
  return to_status({ErrorCode::kInternal, "The server made a mistake."});
}

// Turns errors and exceptions of `work` into a status.
template <class T>
awaitable<std::expected<T, grpc::Status>> guard(const Method& method, awaitable<Expected<T>> work) {
  std::exception_ptr fault;
  try {
    auto outcome = co_await std::move(work);
    if (!outcome) co_return std::unexpected(to_status(outcome.error()));
    co_return std::move(*outcome);
  } catch (...) {
    fault = std::current_exception();
  }
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    co_return std::unexpected(grpc::Status::CANCELLED);
  }
  co_return std::unexpected(mistake(method, fault));
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
             quota::AdmissionControl& admission, metrics::Metrics& metrics)
    : admission_(admission), metrics_(metrics) {
  for (const std::vector<Method>& methods : services) {
    for (const Method& method : methods) methods_.emplace(method.path, method);
  }
}

const Method* Calls::find(std::string_view path) const {
  const auto at = methods_.find(path);
  return at == methods_.end() ? nullptr : &at->second;
}

void Calls::answer(const asio::any_io_executor& executor, const Method& method, RequestPtr request,
                   Caller caller, std::function<void(Reply)> done) {
  auto fit = count(caller);
  if (fit) fit = codec::check_no_nul(*request);
  if (!fit) return done(std::unexpected(ended(method, to_status(fit.error()))));
  asio::co_spawn(executor, method.answer(std::move(request), std::move(caller)),
                 [this, &method, done = std::move(done)](const std::exception_ptr& fault,
                                                         Expected<MessagePtr> outcome) {
                   Reply reply;
                   if (fault) {
                     reply = std::unexpected(mistake(method, fault));
                   } else if (!outcome) {
                     reply = std::unexpected(to_status(outcome.error()));
                   } else {
                     reply = std::move(*outcome);
                   }
                   static_cast<void>(ended(method, reply ? grpc::Status::OK : reply.error()));
                   done(std::move(reply));
                 });
}

std::unique_ptr<StreamCall> Calls::stream(const Method& method) {
  return std::make_unique<StreamCall>(*this, method);
}

grpc::Status Calls::ended(const Method& method, grpc::Status status) {
  metrics_.rpcs(method.path, connect_code(status.error_code())).Increment();
  return status;
}

StreamCall::~StreamCall() {
  static_cast<void>(calls_.ended(method_, status_));
}

awaitable<grpc::Status> StreamCall::begin(RequestPtr request, Caller caller) {
  auto connection = admit_stream(calls_.admission_, caller);
  if (!connection) co_return status_ = to_status(connection.error());
  if (const auto fit = codec::check_no_nul(*request); !fit) {
    co_return status_ = to_status(fit.error());
  }
  connection_ = std::move(*connection);
  auto opening = method_.open(std::move(request), std::move(caller));
  auto opened = co_await guard(method_, std::move(opening));
  if (!opened) co_return status_ = opened.error();
  stream_ = std::move(*opened);
  co_return grpc::Status::OK;
}

awaitable<Reply> StreamCall::next() {
  Reply reply = co_await guard(method_, stream_->next());
  if (!reply) status_ = reply.error();
  if (reply && !*reply) status_ = grpc::Status::OK;
  co_return reply;
}

}  // namespace tesela::rpc
