#include "server/stream/stream_server.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/string_body.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "server/base/limits.h"
#include "server/base/log/seldom_log.h"
#include "server/base/text_encoding.h"
#include "server/directory/hand_over.h"
#include "server/net/http/http_framing.h"
#include "server/stream/stream_session.h"
#include "server/stream/sub_protocols.h"

namespace tesela::stream {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::awaitable;

/// The {id} of /v1/tables/{id}/stream. An invalid id means a table that does not exist.
TableId table_of(const UpgradeRequest& request) {
  constexpr std::string_view kPrefix = "/v1/tables/";
  std::string_view target{request.target().data(), request.target().size()};
  target.remove_prefix(std::min(kPrefix.size(), target.size()));
  return base::parse_id<TableId>(target.substr(0, target.find('/'))).value_or(TableId{});
}

constexpr std::string_view kNoProtocol =
    "Offer the sub-protocol tesela.v1.proto or tesela.v1.json (Sec-WebSocket-Protocol).\n";
constexpr std::string_view kNoLease =
    "This server does not reach its database: come in at another one, or again in a moment.\n";
/// What ends a session when the server has died through which it has come. Any thread.
std::function<void()> end_of(base::Loop& loop, const std::shared_ptr<StreamSession>& session) {
  return [&loop, weak = std::weak_ptr<StreamSession>(session)] {
    loop.hand_over([weak] {
      if (const auto alive = weak.lock()) alive->relay_died();
    });
  };
}

constexpr std::string_view kStops = "This server stops: come back in a moment.\n";
constexpr std::string_view kNotTheOwner = "This server does not have the table.\n";

}  // namespace

void StreamServer::upgrade(net::Transport transport, UpgradeRequest request, net::Client client) {
  nodes::Arrival arrival{std::move(transport), std::move(request), std::move(client)};
  if (!protocol_of(arrival.request)) {
    return begin_refusal(std::move(arrival), http::status::bad_request, kNoProtocol);
  }
  if (stopping_) {
    return begin_refusal(std::move(arrival), http::status::service_unavailable, kStops);
  }
  if (relays_ == nullptr) return serve(std::move(arrival));
  base::Loop& loop = loop_of(table_of(arrival.request));
  run(loop, direct(std::move(arrival)));
}

void StreamServer::upgrade_relayed(net::Transport transport, UpgradeRequest request,
                                   net::Client client) {
  nodes::Arrival arrival{std::move(transport), std::move(request), std::move(client)};
  if (!protocol_of(arrival.request)) {
    return begin_refusal(std::move(arrival), http::status::bad_request, kNoProtocol);
  }
  base::Loop& loop = loop_of(table_of(arrival.request));
  run(loop, check_relayed(std::move(arrival)));
}

awaitable<void> StreamServer::direct(nodes::Arrival arrival) {
  // Nothing would be told here, and the other servers tell it.
  if (!relays_->lease_runs()) {
    co_return begin_refusal(std::move(arrival), http::status::service_unavailable, kNoLease);
  }
  const TableId table = table_of(arrival.request);
  bool relayed = false;
  if (!parts_.directory.is_live(table)) {
    relayed = co_await relays_->pass_on(loop_of(table), arrival, table);
  }
  if (!relayed) serve(std::move(arrival));
}

awaitable<void> StreamServer::check_relayed(nodes::Arrival arrival) {
  const TableId table = table_of(arrival.request);
  // The lease may be over for long, and this server would send nothing: the stream waits for the
  // owner that the store has then.
  if (!relays_->lease_runs()) {
    co_return begin_refusal(std::move(arrival), http::status::misdirected_request, kNotTheOwner);
  }
  // A table without connections goes where its first stream has come in.
  co_await parts_.directory.hand_over().unused(table);
  bool ours = parts_.directory.is_live(table);
  if (!ours) ours = co_await relays_->is_ours(table);
  if (ours) co_return serve(std::move(arrival));
  begin_refusal(std::move(arrival), http::status::misdirected_request, kNotTheOwner);
}

void StreamServer::serve(nodes::Arrival arrival) {
  const TableId table = table_of(arrival.request);
  const bool paced = arrival.client.quota != nullptr;
  const codec::Protocol protocol = *protocol_of(arrival.request);
  base::Loop& loop = loop_of(table);
  const auto through = arrival.client.through;
  auto session =
      std::make_shared<StreamSession>(net::StreamWire{loop, std::move(arrival.transport), paced},
                                      std::move(arrival.client), protocol, table, parts_);
  open_.fetch_add(1, std::memory_order_relaxed);
  std::shared_ptr<void> relayed;
  if (through && relayed_ != nullptr) relayed = relayed_->add(*through, end_of(loop, session));
  auto running = session->run(std::move(arrival.request), sessions_[io_.index_of(table)]);
  loop.spawn(std::move(running), [this, session = std::move(session),
                                  relayed = std::move(relayed)](std::exception_ptr thrown) {
    static base::SeldomLog lines;
    if (thrown) lines.log(spdlog::level::err, "a stream ended by an exception");
    open_.fetch_sub(1, std::memory_order_relaxed);
  });
}

void StreamServer::stop() {
  if (stopping_.exchange(true)) return;
  for (std::size_t i = 0; i < io_.size(); ++i) {
    io_.at(i).hand_over([this, i] { sessions_[i].stop(); });
  }
}

void StreamServer::run(base::Loop& loop, awaitable<void> work) {
  open_.fetch_add(1, std::memory_order_relaxed);
  loop.spawn(std::move(work), [this](std::exception_ptr thrown) {
    static base::SeldomLog lines;
    if (thrown) lines.log(spdlog::level::err, "a relay ended by an exception");
    open_.fetch_sub(1, std::memory_order_relaxed);
  });
}

std::optional<codec::Protocol> StreamServer::protocol_of(const UpgradeRequest& request) {
  const auto offered = request[http::field::sec_websocket_protocol];
  return choose_protocol({offered.data(), offered.size()});
}

/// On the thread of the transport, which has time-outs of its own.
void StreamServer::begin_refusal(nodes::Arrival arrival, http::status status,
                                 std::string_view sentence) {
  auto executor = arrival.transport.get_executor();
  open_.fetch_add(1, std::memory_order_relaxed);
  asio::co_spawn(
      executor, refuse(std::move(arrival), status, sentence),
      [this](const std::exception_ptr&) { open_.fetch_sub(1, std::memory_order_relaxed); });
}

awaitable<void> StreamServer::refuse(nodes::Arrival arrival, http::status status,
                                     std::string_view sentence) {
  net::Transport& transport = arrival.transport;
  http::response<http::string_body> response(status, arrival.request.version());
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  if (status == http::status::service_unavailable) response.set(http::field::retry_after, "1");
  response.keep_alive(false);
  response.body() = sentence;
  response.prepare_payload();
  transport.tcp().expires_after(limits::kHttpWriteTimeMax);
  co_await net::write_response(transport, response, response.body());
  co_await transport.say_end();
  boost::beast::error_code ignored;
  transport.tcp().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

awaitable<void> StreamServer::ended() {
  stop();
  asio::steady_timer timer(co_await asio::this_coro::executor);
  while (open_.load(std::memory_order_relaxed) > 0) {
    timer.expires_after(std::chrono::milliseconds(10));
    co_await timer.async_wait(asio::use_awaitable);
  }
}

}  // namespace tesela::stream
