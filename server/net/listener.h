// Takes the connections of a port and serves them until they end or are upgraded.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <unordered_set>

#include "server/net/grpc_session.h"
#include "server/net/http_session.h"
#include "server/net/io_pool.h"
#include "server/ops/config.h"

namespace tesela::net {

/// Of HttpSession or GrpcSession. Lives on the pool's first context; its connections are spread
/// over all of them. Must not be destroyed before `stop` has returned, unless `start` was never
/// called or the pool no longer runs.
template <class Session>
class Listener {
 public:
  /// Binds and listens; nothing is accepted yet. Throws std::runtime_error with a sentence when the
  /// address cannot be used.
  Listener(const ops::Endpoint& at, IoPool& io, Session::Parts parts);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// The port, also where port 0 was asked for.
  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// Begins to accept. Any thread, once.
  void start();

  /// Accepts nothing more, tells the sessions to stop, and after `grace` aborts them. Returns when
  /// the last is gone. Upgraded ones are not its own. May be awaited on any executor, once.
  boost::asio::awaitable<void> stop(std::chrono::milliseconds grace);

 private:
  boost::asio::awaitable<void> accept_all();
  void serve(boost::asio::ip::tcp::socket socket);
  boost::asio::awaitable<void> end_all(std::chrono::milliseconds grace);
  [[nodiscard]] bool busy() const { return accepting_ || !sessions_.empty(); }

  IoPool& io_;
  Session::Parts parts_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_;
  std::unordered_set<std::shared_ptr<Session>> sessions_;
  std::size_t refused_ = 0;          // of them, those that are only told that there are too many
  boost::asio::steady_timer ended_;  // cancelled when a session or the accept loop has ended
  bool accepting_ = false;
};

extern template class Listener<HttpSession>;
extern template class Listener<GrpcSession>;

}  // namespace tesela::net
