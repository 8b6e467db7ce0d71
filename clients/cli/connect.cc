#include "clients/cli/connect.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/beast/http/field.hpp>
#include <optional>
#include <utility>
#include <variant>

namespace tesela::cli {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;

constexpr const char* kSubProtocol = "tesela.v1.proto";
/// A position with all its stages is a tenth of this.
constexpr std::size_t kServerFrameBytesMax = 256 * 1024;

Error unreachable(const boost::system::error_code& error) {
  return {ErrorCode::kUnavailable, "The server cannot be reached: " + error.message() + "."};
}

Task<Expected<Socket>> connect_to_any(Endpoints endpoints) {
  Socket socket(co_await asio::this_coro::executor);
  const auto [error, endpoint] = co_await asio::async_connect(socket, endpoints, kResult);
  if (error) co_return std::unexpected(unreachable(error));
  socket.set_option(tcp::no_delay(true));
  co_return socket;
}

Task<void> wait(std::chrono::steady_clock::duration time) {
  Timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(kResult);
}

}  // namespace

Task<Expected<Endpoints>> resolve(ServerAddress server) {
  asio::ip::basic_resolver<tcp, Executor> resolver(co_await asio::this_coro::executor);
  auto [error, endpoints] =
      co_await resolver.async_resolve(server.host, std::to_string(server.port), kResult);
  if (error) co_return std::unexpected(unreachable(error));
  co_return std::move(endpoints);
}

Task<Expected<Socket>> connect(Endpoints endpoints) {
  using asio::experimental::awaitable_operators::operator||;
  auto first = co_await (connect_to_any(std::move(endpoints)) || wait(kConnectTimeMax));
  if (first.index() == 1) co_return std::unexpected(unreachable(asio::error::timed_out));
  co_return std::get<0>(std::move(first));
}

Task<Expected<WebSocket>> open_web_socket(Endpoints endpoints, std::string host, std::string path) {
  auto socket = co_await connect(std::move(endpoints));
  if (!socket) co_return std::unexpected(socket.error());
  WebSocket stream(std::move(*socket));
  stream.set_option(websocket::stream_base::timeout{.handshake_timeout = kConnectTimeMax,
                                                    .idle_timeout = websocket::stream_base::none(),
                                                    .keep_alive_pings = false});
  stream.set_option(websocket::stream_base::decorator([](websocket::request_type& request) {
    request.set(http::field::sec_websocket_protocol, kSubProtocol);
  }));
  stream.read_message_max(kServerFrameBytesMax);
  stream.binary(true);
  // The mask keeps proxies from mistaking our bytes for HTTP; it need not be unpredictable to
  // anybody but the writer of the bytes, who is us.
  stream.secure_prng(false);
  websocket::response_type response;
  const auto [error] = co_await stream.async_handshake(response, host, path, kResult);
  if (!error) co_return std::move(stream);
  if (error == websocket::error::upgrade_declined && response.result_int() < 500) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "The server does not open a stream: " + std::string(response.reason()) + ".");
  }
  co_return std::unexpected(unreachable(error));
}

std::string stream_path(const std::string& table_id) {
  return "/v1/tables/" + table_id + "/stream";
}

}  // namespace tesela::cli
