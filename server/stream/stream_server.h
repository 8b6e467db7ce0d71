// Turns upgrade requests into stream sessions, each on the thread of its table.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <cstddef>

#include "server/base/io_pool.h"
#include "server/net/client.h"
#include "server/stream/stream_session.h"

namespace tesela::stream {

/// Must outlive its sessions: `ended` returns when there are none.
class StreamServer {
 public:
  StreamServer(base::IoPool& io, const StreamSession::Parts& parts) : io_(io), parts_(parts) {}
  StreamServer(const StreamServer&) = delete;
  StreamServer& operator=(const StreamServer&) = delete;

  /// Handles an upgrade request (net::UpgradeHandler). Responds 400 to one without a known
  /// sub-protocol.
  void upgrade(net::Transport transport, UpgradeRequest request, net::Client client);

  /// Returns when there is no session. Sessions end with the Goodbye of their tables.
  boost::asio::awaitable<void> ended();

 private:
  boost::asio::awaitable<void> refuse(net::Transport transport, UpgradeRequest request,
                                      net::Client client);

  base::IoPool& io_;
  StreamSession::Parts parts_;
  std::atomic<std::size_t> open_{0};
};

}  // namespace tesela::stream
