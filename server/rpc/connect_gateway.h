// The Connect protocol over HTTP/1.1: every unary and server-streaming method of this process, in
// JSON and in protobuf. It has no line of code for any method. The protocol:
// https://connectrpc.com/docs/protocol
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string_view>

#include "server/net/http/http_message.h"
#include "server/net/http/http_router.h"
#include "server/net/http/origins.h"
#include "server/rpc/calls.h"
#include "server/rpc/connect_codec.h"

namespace tesela::rpc {

/// Any thread. Lives as long as the router that it is added to. A call runs on the thread of its
/// connection. When the client has gone, or its deadline has passed, a unary call goes on without
/// an answer, and a stream ends.
class ConnectGateway {
 public:
  /// Both must outlive the gateway.
  ConnectGateway(Calls& calls, const net::Origins& origins) : calls_(calls), origins_(origins) {}

  /// Answers POST /{service}/{Method}, and the preflights of browsers. `service` is a full name,
  /// such as "tesela.lobby.v1.LobbyService".
  void add_routes(net::HttpRouter& router, std::string_view service);

 private:
  boost::asio::awaitable<net::Response> handle(net::Request request);
  boost::asio::awaitable<net::Response> call(net::Request request);
  boost::asio::awaitable<net::Response> call_unary(const Method& method, ConnectContent content,
                                                   net::Request request);
  boost::asio::awaitable<net::Response> call_stream(const Method& method, ConnectContent content,
                                                    net::Request request);

  Calls& calls_;
  const net::Origins& origins_;
};

}  // namespace tesela::rpc
