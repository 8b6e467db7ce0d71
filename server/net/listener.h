// Accepts the connections of a port and serves each until it ends or is upgraded.
#pragma once

#include <spdlog/spdlog.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <unordered_set>
#include <utility>

#include "server/base/io_pool.h"
#include "server/base/limits.h"
#include "server/base/log/seldom_log.h"
#include "server/net/client.h"
#include "server/net/endpoint.h"
#include "server/net/transport.h"

namespace tesela::net {

namespace detail {

/// Throws std::runtime_error with a sentence when the address cannot be used.
boost::asio::ip::tcp::acceptor listen(const char* protocol, const Endpoint& at, base::IoPool& io);
/// Whether an accept failed for lack of memory or descriptors, so that it may succeed later.
[[nodiscard]] bool out_of_resources(const boost::system::error_code& error);

}  // namespace detail

/// `Session` is HttpSession or GrpcSession. The listener runs on the pool's first context; its
/// connections are spread over all contexts. Destroy it after `stop` has returned, or if `start`
/// was never called, or when the pool no longer runs.
template <class Session>
class Listener {
 public:
  /// Binds and listens; nothing is accepted yet. Throws std::runtime_error with a sentence when the
  /// address cannot be used.
  Listener(const Endpoint& at, base::IoPool& io, Session::Parts parts);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// The port, also where port 0 was asked for.
  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// Begins to accept. Any thread, once.
  void start();

  /// Stops accepting, tells the sessions to stop, and aborts them after `grace`. Returns when the
  /// last has ended. Upgraded connections are not included. May be awaited on any executor, once.
  boost::asio::awaitable<void> stop(std::chrono::milliseconds grace);

 private:
  boost::asio::awaitable<void> accept_all();
  void serve(boost::asio::ip::tcp::socket socket);
  void serve_waiting();
  boost::asio::awaitable<void> end_all(std::chrono::milliseconds grace);
  [[nodiscard]] bool busy() const { return accepting_ || !sessions_.empty(); }

  base::IoPool& io_;
  Session::Parts parts_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_;
  std::unordered_set<std::shared_ptr<Session>> sessions_;
  std::size_t refused_ = 0;          // of them, those that only send a refusal
  boost::asio::steady_timer ended_;  // cancelled when a session or the accept loop has ended
  bool accepting_ = false;
};

template <class Session>
Listener<Session>::Listener(const Endpoint& at, base::IoPool& io, Session::Parts parts)
    : io_(io),
      parts_(std::move(parts)),
      acceptor_(detail::listen(Session::kProtocol, at, io)),
      port_(acceptor_.local_endpoint().port()),
      ended_(io.at(0)) {}

template <class Session>
Listener<Session>::~Listener() = default;

template <class Session>
void Listener<Session>::start() {
  accepting_ = true;
  boost::asio::co_spawn(acceptor_.get_executor(), accept_all(),
                        [this](const std::exception_ptr& fault) {
                          if (fault)
                            spdlog::error("the {} port accepts nothing more", Session::kProtocol);
                          accepting_ = false;
                          ended_.cancel();
                        });
}

template <class Session>
boost::asio::awaitable<void> Listener<Session>::accept_all() {
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(io_.any(), use_tuple);
    // A connection that was accepted just before the end would outlive it.
    if (!error && acceptor_.is_open()) {
      serve(std::move(socket));
      serve_waiting();
    } else if (detail::out_of_resources(error)) {
      static base::SeldomLog lines;
      lines.log(spdlog::level::warn, "the {} port waits before it accepts more: {}",
                Session::kProtocol, error.message());
      boost::asio::steady_timer pause{acceptor_.get_executor(), limits::kAcceptPause};
      co_await pause.async_wait(use_tuple);
    }
  }
}

/// Accepts the connections that already wait: under load it takes long until the context runs this
/// coroutine again.
template <class Session>
void Listener<Session>::serve_waiting() {
  for (std::size_t n = 1; n < limits::kAcceptsAtOnce; ++n) {
    boost::system::error_code error;
    auto socket = acceptor_.accept(io_.any(), error);
    if (error) return;
    serve(std::move(socket));
  }
}

template <class Session>
void Listener<Session>::serve(boost::asio::ip::tcp::socket socket) {
  boost::system::error_code ignored;
  socket.set_option(boost::asio::ip::tcp::no_delay{true}, ignored);
  const auto peer = socket.remote_endpoint(ignored).address();
  // A proxy's connections belong to many clients.
  Client client{.quota =
                    parts_.admission.is_proxy(peer) ? nullptr : parts_.admission.address(peer)};
  if (client.quota && !client.quota->take(quota::Act::kConnect)) return;
  auto quota_slot = parts_.admission.enter(client.quota);
  if (quota_slot && parts_.admission.has_room()) client.connection_slot = parts_.connections.take();
  const bool refused = !client.connection_slot;
  const std::size_t refused_max =
      quota_slot ? limits::kRefusedConnectionsMax : limits::kRefusedOfAddressesMax;
  if (refused && refused_ >= refused_max) return;
  if (quota_slot) client.quota_slot = std::move(*quota_slot);
  auto session = std::make_shared<Session>(std::move(socket), peer, std::move(client), parts_);
  sessions_.insert(session);
  refused_ += refused ? 1 : 0;
  auto work =
      refused ? session->turn_away(quota_slot ? Full::kServer : Full::kAddress) : session->run();
  auto ended = [this, session, refused](const std::exception_ptr&) {
    boost::asio::post(acceptor_.get_executor(), [this, session, refused] {
      sessions_.erase(session);
      refused_ -= refused ? 1 : 0;
      ended_.cancel();
    });
  };
  boost::asio::co_spawn(session->executor(), std::move(work),
                        boost::asio::bind_cancellation_slot(session->aborted(), std::move(ended)));
}

template <class Session>
boost::asio::awaitable<void> Listener<Session>::stop(std::chrono::milliseconds grace) {
  co_await boost::asio::co_spawn(acceptor_.get_executor(), end_all(grace),
                                 boost::asio::use_awaitable);
}

template <class Session>
boost::asio::awaitable<void> Listener<Session>::end_all(std::chrono::milliseconds grace) {
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (const auto& session : sessions_) session->stop();
  const auto deadline = std::chrono::steady_clock::now() + grace;
  while (busy() && std::chrono::steady_clock::now() < deadline) {
    ended_.expires_at(deadline);
    co_await ended_.async_wait(use_tuple);
  }
  for (const auto& session : sessions_) session->abort();
  while (busy()) {
    ended_.expires_at(boost::asio::steady_timer::time_point::max());
    co_await ended_.async_wait(use_tuple);
  }
}

}  // namespace tesela::net
