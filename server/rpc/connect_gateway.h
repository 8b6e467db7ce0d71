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

namespace tesela::rpc {

/// Any thread. Lives as long as the router that it is added to; its end waits for gRPC to be done
/// with every call.
class ConnectGateway {
 public:
  /// `channel` leads to the gRPC server; `origins` must outlive the gateway.
  ConnectGateway(std::shared_ptr<grpc::Channel> channel, const net::Origins& origins);

  /// Answers POST /{service}/{Method}, and the preflights of browsers. `service` is a full name,
  /// such as "tesela.lobby.v1.LobbyService"; its .proto is linked into the program.
  void add_routes(net::HttpRouter& router, std::string_view service);

 private:
  boost::asio::awaitable<net::Response> handle(net::Request request);
  boost::asio::awaitable<net::Response> call(net::Request request);
  boost::asio::awaitable<net::Response> call_unary_method(
      const google::protobuf::MethodDescriptor& method, ConnectContent content,
      net::Request request);
  boost::asio::awaitable<net::Response> call_stream_method(
      const google::protobuf::MethodDescriptor& method, ConnectContent content,
      net::Request request);

  CallChannel channel_;
  const net::Origins& origins_;
};

}  // namespace tesela::rpc
