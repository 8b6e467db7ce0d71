// The Connect protocol, in JSON and in protobuf, and gRPC-Web over HTTP/1.1: every unary and
// server-streaming method of this process. It has no line of code for any method. The protocols:
// https://connectrpc.com/docs/protocol,
// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string_view>

#include "server/net/http/http_message.h"
#include "server/net/http/http_router.h"
#include "server/rpc/calls.h"
#include "server/rpc/connect_codec.h"

namespace tesela::rpc {

/// Any thread. Lives as long as the router that it is added to. A call runs on the thread of its
/// connection. When the client has gone, or its deadline has passed, a unary call goes on without
/// an answer, and a stream ends.
class ConnectGateway {
 public:
  /// `calls` must outlive the gateway.
  explicit ConnectGateway(Calls& calls) : calls_(calls) {}

  /// Answers POST /{service}/{Method}, also to pages, and GET, with an ETag, for unary methods that
  /// the contract declares to have no side effects. `service` is a full name, such as
  /// "tesela.lobby.v1.LobbyService".
  void add_routes(net::HttpRouter& router, std::string_view service);
  /// Answers POST to every other service with 404, as the protocol wants it.
  static void add_unknown_services(net::HttpRouter& router);

 private:
  boost::asio::awaitable<net::Response> call(net::Request request);
  /// Of a request that cannot be read: counted, and with the id of the call.
  [[nodiscard]] grpc::Status refused(const Method& method, const net::Request& request,
                                     const grpc::Status& status);
  boost::asio::awaitable<net::Response> call_by_get(const Method& method, net::Request request);
  boost::asio::awaitable<net::Response> call_unary(const Method& method, ConnectContent content,
                                                   net::Request request);
  boost::asio::awaitable<net::Response> call_stream(const Method& method, ConnectContent content,
                                                    net::Request request);

  Calls& calls_;
};

}  // namespace tesela::rpc
