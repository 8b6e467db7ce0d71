#include "server/stream/stream_server.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>

#include "server/base/limits.h"
#include "server/base/seldom_log.h"
#include "server/base/text_encoding.h"
#include "server/stream/stream_session.h"

namespace tesela::stream {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::awaitable;

/// The {id} of /v1/tables/{id}/stream. An invalid id means a table that does not exist.
TableId table_of(std::string_view target) {
  constexpr std::string_view kPrefix = "/v1/tables/";
  target.remove_prefix(std::min(kPrefix.size(), target.size()));
  return base::parse_table_id(target.substr(0, target.find('/'))).value_or(TableId{});
}

}  // namespace

void StreamServer::upgrade(net::Transport transport, UpgradeRequest request, net::Client client) {
  const auto offered = request[http::field::sec_websocket_protocol];
  const auto protocol = choose_protocol({offered.data(), offered.size()});
  if (!protocol) {
    auto executor = transport.get_executor();
    open_.fetch_add(1, std::memory_order_relaxed);
    asio::co_spawn(
        executor, refuse(std::move(transport), std::move(request), std::move(client)),
        [this](const std::exception_ptr&) { open_.fetch_sub(1, std::memory_order_relaxed); });
    return;
  }
  const auto target = request.target();
  const TableId table = table_of({target.data(), target.size()});
  const bool paced = client.quota != nullptr;
  base::Loop& loop = io_.at(io_.index_of(table));
  auto session = std::make_shared<StreamSession>(net::StreamWire{loop, std::move(transport), paced},
                                                 std::move(client), *protocol, table, parts_);
  open_.fetch_add(1, std::memory_order_relaxed);
  auto running = session->run(std::move(request));
  loop.spawn(std::move(running), [this, session = std::move(session)](std::exception_ptr thrown) {
    static base::SeldomLog lines;
    if (thrown) lines.log(spdlog::level::err, "a stream ended by an exception");
    open_.fetch_sub(1, std::memory_order_relaxed);
  });
}

awaitable<void> StreamServer::refuse(net::Transport transport, UpgradeRequest request,
                                     net::Client client) {
  const net::Client kept = std::move(client);
  http::response<http::string_body> response(http::status::bad_request, request.version());
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.keep_alive(false);
  response.body() =
      "Offer the sub-protocol tesela.v1.proto or tesela.v1.json (Sec-WebSocket-Protocol).\n";
  response.prepare_payload();
  transport.tcp().expires_after(limits::kHttpWriteTimeMax);
  co_await http::async_write(transport, response, asio::as_tuple(asio::use_awaitable));
  co_await transport.say_end();
  boost::beast::error_code ignored;
  transport.tcp().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

awaitable<void> StreamServer::ended() {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  while (open_.load(std::memory_order_relaxed) > 0) {
    timer.expires_after(std::chrono::milliseconds(10));
    co_await timer.async_wait(asio::use_awaitable);
  }
}

}  // namespace tesela::stream
