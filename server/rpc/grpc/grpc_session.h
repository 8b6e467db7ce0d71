// One connection of the gRPC port: input is counted and bounded before gRPC reads it.
#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "server/base/limits.h"
#include "server/net/client.h"
#include "server/net/tls.h"
#include "server/net/transport.h"
#include "server/quota/admission_control.h"
#include "server/rpc/grpc/grpc_server.h"
#include "server/rpc/grpc/http2_meter.h"

namespace tesela::rpc {

/// gRPC's library spends processor time and memory on whatever a stranger sends it, so it never has
/// the socket: it gets one end of a pair of local ones, and through it what Http2Meter lets pass,
/// as fast as the quota of the address can pay. Touched by the thread of its socket's context
/// alone, but for `stop` and `abort`.
class GrpcSession : public std::enable_shared_from_this<GrpcSession> {
 public:
  static constexpr const char* kProtocol = "gRPC";

  /// What every session uses; must outlive them all.
  struct Parts {
    GrpcServer& server;
    net::ConnectionLimit& connections;
    quota::AdmissionControl& admission;
    const net::Tls* tls = nullptr;  // none: without TLS
    std::chrono::milliseconds handshake_time_max{limits::kGrpcHandshakeTimeMax};
    std::chrono::milliseconds write_time_max{limits::kHttpWriteTimeMax};
  };

  /// `peer` is where the socket comes from.
  GrpcSession(boost::asio::ip::tcp::socket socket, boost::asio::ip::address peer,
              net::Client client, const Parts& parts);

  [[nodiscard]] boost::asio::any_io_executor executor() { return stream_.get_executor(); }
  /// To be bound to the coroutine that runs the session, so that `abort` can cancel it.
  [[nodiscard]] boost::asio::cancellation_slot aborted() { return abort_.slot(); }

  /// Serves until the client or gRPC ends the connection, the client is no client of HTTP/2, does
  /// not read or falls silent, or it sends what Http2Meter refuses: then it is told why, in a
  /// GOAWAY.
  boost::asio::awaitable<void> run();
  /// Ends without a word.
  boost::asio::awaitable<void> turn_away(net::Full full);

  /// Ends now when gRPC does not know of it yet. Otherwise gRPC lets its calls finish, and then
  /// ends it. Any thread.
  void stop();
  /// Ends now. Any thread.
  void abort();

 private:
  boost::asio::awaitable<bool> greet();
  bool hand_over();
  boost::asio::awaitable<bool> give(std::string_view bytes);
  boost::asio::awaitable<void> carry();
  boost::asio::awaitable<void> pass_on();
  boost::asio::awaitable<void> pay(quota::Act act, std::size_t cost);
  /// Accounts for the calls that are open. False when the address has too many.
  [[nodiscard]] bool hold_calls();
  boost::asio::awaitable<void> answer();
  void end_for(const Http2Fault& fault);
  boost::asio::awaitable<void> say_why();
  void penalize();
  void close();

  const Parts& parts_;
  net::Transport stream_;
  const boost::asio::ip::address peer_;
  net::Client client_;
  boost::asio::cancellation_signal abort_;
  boost::asio::local::stream_protocol::socket grpc_;  // our end
  Http2Meter meter_;
  quota::CallShare held_;            // what the quota was told of
  std::optional<Http2Fault> fault_;  // why the connection ends
};

}  // namespace tesela::rpc
