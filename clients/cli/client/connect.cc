#include "clients/cli/client/connect.h"

#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/beast/http/field.hpp>
#include <utility>

namespace tesela::cli {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;

constexpr const char* kSubProtocol = "tesela.v1.proto";
/// Ten times a position with all its stages.
constexpr std::size_t kServerFrameBytesMax = 256 * 1024;

Error unreachable(const std::string& why) {
  return {ErrorCode::kUnavailable, "The server cannot be reached: " + why + "."};
}

Task<Expected<Connection>> connect_to_any(Endpoints endpoints, ServerAddress server) {
  const Executor executor = co_await asio::this_coro::executor;
  // The first refusal says why: a machine without IPv6 has another one for the second address.
  boost::system::error_code first;
  for (const auto& entry : endpoints) {
    Socket socket(executor);
    const auto [error] = co_await socket.async_connect(entry.endpoint(), kResult);
    if (error) {
      if (!first) first = error;
      continue;
    }
    socket.set_option(tcp::no_delay(true));
    Connection connection(std::move(socket));
    if (server.tls) {
      const std::string fault = co_await connection.secure(server.host);
      if (!fault.empty()) co_return std::unexpected(unreachable(fault));
    }
    co_return connection;
  }
  co_return std::unexpected(unreachable(first.message()));
}

Task<void> silence(std::chrono::seconds time) {
  Timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(kResult);
}

}  // namespace

Task<Expected<Endpoints>> resolve(ServerAddress server) {
  asio::ip::basic_resolver<tcp, Executor> resolver(co_await asio::this_coro::executor);
  auto [error, endpoints] =
      co_await resolver.async_resolve(server.host, std::to_string(server.port), kResult);
  if (error) co_return std::unexpected(unreachable(error.message()));
  co_return std::move(endpoints);
}

Task<bool> ends_in_time(Task<void> work, std::chrono::seconds time_max) {
  return ends_first(std::move(work), silence(time_max));
}

Task<Expected<Connection>> connect(Endpoints endpoints, ServerAddress server) {
  return in_time(connect_to_any(std::move(endpoints), std::move(server)), kConnectTimeMax);
}

Task<Expected<WebSocket>> open_web_socket(Endpoints endpoints, ServerAddress server,
                                          std::string path) {
  const std::string host = to_text(server);
  auto connection = co_await connect(std::move(endpoints), std::move(server));
  if (!connection) co_return std::unexpected(connection.error());
  WebSocket stream(std::move(*connection));
  stream.set_option(websocket::stream_base::timeout{.handshake_timeout = kUpgradeTimeMax,
                                                    .idle_timeout = websocket::stream_base::none(),
                                                    .keep_alive_pings = false});
  stream.set_option(websocket::stream_base::decorator([](websocket::request_type& request) {
    request.set(http::field::sec_websocket_protocol, kSubProtocol);
  }));
  stream.read_message_max(kServerFrameBytesMax);
  stream.binary(true);
  // The mask protects proxies from payloads that look like HTTP. The payload is our own, so the
  // mask need not be unpredictable.
  stream.secure_prng(false);
  websocket::response_type response;
  const auto [error] = co_await stream.async_handshake(response, host, path, kResult);
  if (!error) co_return std::move(stream);
  if (error == websocket::error::upgrade_declined && response.result_int() < 500) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "The server does not open a stream: " + std::string(response.reason()) + ".");
  }
  co_return std::unexpected(unreachable(error.message()));
}

std::string stream_path(const std::string& table_id) {
  return "/v1/tables/" + table_id + "/stream";
}

}  // namespace tesela::cli
