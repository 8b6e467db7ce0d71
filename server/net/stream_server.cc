#include "server/net/stream_server.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>

#include "server/codec/id_text.h"
#include "server/net/limits.h"
#include "server/net/stream_protocol.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::awaitable;
using asio::ip::tcp;

/// The {id} of /v1/tables/{id}/stream. A text that is no id is a table that does not exist.
TableId table_of(std::string_view target) {
  constexpr std::string_view kPrefix = "/v1/tables/";
  target.remove_prefix(std::min(kPrefix.size(), target.size()));
  return codec::parse_table_id(target.substr(0, target.find('/'))).value_or(TableId{});
}

/// The same connection on another io_context.
StreamSocket move_to(asio::io_context& context, tcp::socket socket) {
  boost::system::error_code error;
  const auto protocol = socket.local_endpoint(error).protocol();
  StreamSocket moved(context);
  if (!error) moved.assign(protocol, socket.release(error), error);
  return moved;
}

}  // namespace

void StreamServer::upgrade(tcp::socket socket, UpgradeRequest request, ConnectionSlot slot) {
  const auto offered = request[http::field::sec_websocket_protocol];
  const auto protocol = choose_protocol({offered.data(), offered.size()});
  if (!protocol) {
    auto executor = socket.get_executor();
    open_.fetch_add(1, std::memory_order_relaxed);
    asio::co_spawn(
        executor, refuse(std::move(socket), std::move(request), std::move(slot)),
        [this](const std::exception_ptr&) { open_.fetch_sub(1, std::memory_order_relaxed); });
    return;
  }
  const auto target = request.target();
  const TableId table = table_of({target.data(), target.size()});
  auto& context = io_.at(io_.index_of(table));
  auto session = std::make_shared<StreamSession>(move_to(context, std::move(socket)),
                                                 std::move(slot), *protocol, table, parts_);
  open_.fetch_add(1, std::memory_order_relaxed);
  auto running = session->run(std::move(request));
  asio::co_spawn(context, std::move(running),
                 [this, session = std::move(session)](std::exception_ptr thrown) {
                   if (thrown) spdlog::error("a stream ended by an exception");
                   open_.fetch_sub(1, std::memory_order_relaxed);
                 });
}

awaitable<void> StreamServer::refuse(tcp::socket socket, UpgradeRequest request,
                                     ConnectionSlot slot) {
  const ConnectionSlot kept = std::move(slot);
  http::response<http::string_body> response(http::status::bad_request, request.version());
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.keep_alive(false);
  response.body() =
      "Offer the sub-protocol tesela.v1.proto or tesela.v1.json (Sec-WebSocket-Protocol).\n";
  response.prepare_payload();
  boost::beast::tcp_stream stream(std::move(socket));
  stream.expires_after(limits::kHttpWriteTimeMax);
  co_await http::async_write(stream, response, asio::as_tuple(asio::use_awaitable));
  boost::beast::error_code ignored;
  stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
}

awaitable<void> StreamServer::ended() {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  while (open_.load(std::memory_order_relaxed) > 0) {
    timer.expires_after(std::chrono::milliseconds(10));
    co_await timer.async_wait(asio::use_awaitable);
  }
}

}  // namespace tesela::net
