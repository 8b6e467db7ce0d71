// The methods that clients call: coroutines from a request and its caller to a response.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/metrics/histogram.h"
#include "server/quota/admission_control.h"
#include "server/tracing/trace.h"

namespace tesela::rpc {

/// Who makes a call, over either port.
struct Caller {
  std::string token{};                                // the bearer token; empty: none
  std::optional<boost::asio::ip::address> address{};  // none: not known
  quota::QuotaPtr quota{};                            // of the address; none: no limit holds it
  bool over_grpc{};                                   // by the gRPC port
  bool foreign_host{};                                // quota::HostNames::own: no
  /// The connection has no slot among those of the address, or carries many calls at once: a call
  /// that stays open takes a slot itself.
  bool shares_connection{};
  /// After it nobody waits for the answer of a unary call.
  std::chrono::steady_clock::time_point deadline{std::chrono::steady_clock::time_point::max()};
  /// When the call came to the server that its client reached; none: now, to this one.
  std::optional<std::chrono::steady_clock::time_point> began{};
  /// The same call was begun before, here or elsewhere, and counted then: it begins again.
  bool counted{};
  /// Of the call, for what it asks others.
  tracing::Context trace{};
};

/// The token of `Authorization: Bearer TOKEN`; empty when the value is not of that form.
[[nodiscard]] std::string_view bearer_token(std::string_view authorization);

using RequestPtr = std::unique_ptr<google::protobuf::Message>;
/// A message that is sent; many streams may share one.
using MessagePtr = std::shared_ptr<const google::protobuf::Message>;

/// The messages of a streaming method. Used by one coroutine, and destroyed when the call has
/// ended.
class Stream {
 public:
  virtual ~Stream() = default;

  /// Waits for the next message; null at the end. Not called again after the end or an error.
  /// Cancelled when the caller has gone.
  virtual boost::asio::awaitable<Expected<MessagePtr>> next() = 0;

  /// Makes `next` end with an error, soon: any thread, while the stream exists. Null: whoever waits
  /// for `next` cancels it, which costs more for each message.
  [[nodiscard]] virtual std::function<void(const Error&)> ender() { return nullptr; }
};
using StreamPtr = std::unique_ptr<Stream>;

/// A unary or a server-streaming method. Both functions may throw; an exception is a mistake of the
/// server.
struct Method {
  const google::protobuf::Message* request;      // the empty one
  const google::protobuf::Descriptor* response;  // none: it streams
  /// Exactly one of the two is there.
  std::function<boost::asio::awaitable<Expected<MessagePtr>>(RequestPtr, Caller)> answer{};
  std::function<boost::asio::awaitable<Expected<StreamPtr>>(RequestPtr, Caller)> open{};
  const google::protobuf::MethodDescriptor* descriptor{};  // from here on by methods_of
  std::string path{};                                      // "/tesela.lobby.v1.LobbyService/SignIn"
  metrics::Histogram* seconds{};                           // of a unary one; by Calls
};

/// The methods of `service`, a full name: each is the one of the contract that takes its request.
/// Throws std::logic_error when there is none, when it answers with another message, and when a
/// method of the contract that does not take a stream is missing.
[[nodiscard]] std::vector<Method> methods_of(std::string_view service, std::vector<Method> methods);

template <class Response>
boost::asio::awaitable<Expected<MessagePtr>> as_message(
    boost::asio::awaitable<Expected<Response>> work) {
  auto response = co_await std::move(work);
  if (!response) co_return std::unexpected(std::move(response.error()));
  co_return std::make_shared<Response>(std::move(*response));
}

/// The method that takes a Request, done by `work`: a function from Request and Caller to an
/// awaitable Expected<Response>, or Expected<StreamPtr> where the method streams.
template <class Request, class Response, class Work>
[[nodiscard]] Method method_by(Work work) {
  const google::protobuf::Message* request = &Request::default_instance();
  if constexpr (std::is_same_v<Response, StreamPtr>) {
    Method method{.request = request, .response = nullptr};
    method.open = [work](RequestPtr message, Caller caller) {
      return work(std::move(static_cast<Request&>(*message)), std::move(caller));
    };
    return method;
  } else {
    Method method{.request = request, .response = Response::descriptor()};
    method.answer = [work](RequestPtr message, Caller caller) {
      return as_message<Response>(
          work(std::move(static_cast<Request&>(*message)), std::move(caller)));
    };
    return method;
  }
}

/// As above, by a member function. The service outlives its calls.
template <class Service, class Request, class Response>
[[nodiscard]] Method method_by(Service& service, boost::asio::awaitable<Expected<Response>> (
                                                     Service::*work)(Request, Caller)) {
  return method_by<Request, Response>([&service, work](Request request, Caller caller) {
    return (service.*work)(std::move(request), std::move(caller));
  });
}

/// The method that a path names; null when no .proto that is linked into the program declares it.
/// Any thread.
[[nodiscard]] const google::protobuf::MethodDescriptor* declared_method(std::string_view path);

/// The ids of requests. Errors: kInvalidArgument.
[[nodiscard]] Expected<TableId> table_id_of(const std::string& text);
[[nodiscard]] Expected<PlayerId> player_id_of(const std::string& text);

}  // namespace tesela::rpc
