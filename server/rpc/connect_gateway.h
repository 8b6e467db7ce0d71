// The Connect protocol over HTTP/1.1, in front of the gRPC services of this process: every unary
// and server-streaming method, in JSON and in protobuf. It knows messages by their descriptors and
// has no line of code per method. The protocol: https://connectrpc.com/docs/protocol
#pragma once

#include <google/protobuf/descriptor.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "server/net/http/http_message.h"
#include "server/net/http/http_router.h"
#include "server/net/http/origins.h"
#include "server/rpc/call_channel.h"
#include "server/rpc/connect_codec.h"

namespace tesela::net {

/// Any thread. Lives as long as the router that it is added to; its end waits for gRPC to be done
/// with every call.
class ConnectGateway {
 public:
  /// `channel` leads to the gRPC server; `origins` must outlive the gateway.
  ConnectGateway(std::shared_ptr<grpc::Channel> channel, const Origins& origins);

  /// Answers POST /{service}/{Method}, and the preflights of browsers. `service` is a full name,
  /// such as "tesela.lobby.v1.LobbyService"; its .proto is linked into the program.
  void add_routes(HttpRouter& router, std::string_view service);

 private:
  boost::asio::awaitable<Response> handle(Request request);
  boost::asio::awaitable<Response> call(Request request);
  boost::asio::awaitable<Response> call_unary_method(
      const google::protobuf::MethodDescriptor& method, ConnectContent content, Request request);
  boost::asio::awaitable<Response> call_stream_method(
      const google::protobuf::MethodDescriptor& method, ConnectContent content, Request request);

  CallChannel channel_;
  const Origins& origins_;
};

}  // namespace tesela::net
