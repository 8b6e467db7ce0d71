// Calls of the gRPC server as coroutines, in bytes.
#pragma once

#include <grpcpp/client_context.h>

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/rpc/call_channel.h"
#include "server/rpc/connect_error.h"

namespace tesela::rpc {

/// What a call is told beside its message.
using PrepareCall = std::function<void(grpc::ClientContext&)>;

/// How a unary call ended.
struct UnaryOutcome {
  grpc::Status status;
  std::string response;
  Metadata headers;
  Metadata trailers;
};

/// Cancelling the coroutine cancels the call.
boost::asio::awaitable<UnaryOutcome> call_unary(CallChannel& channel, std::string method,
                                                std::string request, PrepareCall prepare);

/// A server-streaming call, one message at a time: the next is asked for when this one has been
/// taken. Awaited by one coroutine; its destruction cancels the call.
class StreamCall {
 public:
  /// Nothing is sent yet.
  StreamCall(CallChannel& channel, std::string method, std::string request,
             const PrepareCall& prepare);
  ~StreamCall();
  StreamCall(const StreamCall&) = delete;
  StreamCall& operator=(const StreamCall&) = delete;

  /// Starts the call and waits for what the service says before its first message. Once, first of
  /// all.
  boost::asio::awaitable<Metadata> headers();
  /// The next message, or nothing when the call has ended; not again after that.
  boost::asio::awaitable<std::optional<std::string>> next();

  /// How it ended. Valid after `next` gave nothing.
  [[nodiscard]] const grpc::Status& status() const;
  [[nodiscard]] Metadata trailers() const;

 private:
  class Reactor;
  std::shared_ptr<Reactor> reactor_;
};

}  // namespace tesela::rpc
