// Turns upgrade requests into stream sessions, each on the thread of its table.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/status.hpp>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "server/base/io_pool.h"
#include "server/net/client.h"
#include "server/nodes/node_port.h"
#include "server/nodes/relay_headers.h"
#include "server/nodes/relayed_streams.h"
#include "server/nodes/relays.h"
#include "server/stream/stream_session.h"

namespace tesela::stream {

/// Must outlive its sessions: `ended` returns when there are none.
class StreamServer {
 public:
  /// Without a node port every stream is served here.
  StreamServer(base::IoPool& io, const StreamSession::Parts& parts,
               nodes::NodePort* node_port = nullptr)
      : io_(io),
        parts_(parts),
        sessions_(io.size()),
        relays_(node_port != nullptr ? &node_port->relays() : nullptr),
        relayed_(node_port != nullptr ? &node_port->relayed_streams() : nullptr) {}
  StreamServer(const StreamServer&) = delete;
  StreamServer& operator=(const StreamServer&) = delete;

  /// Handles an upgrade request (net::UpgradeHandler). Responds 400 to one without a known
  /// sub-protocol. A stream whose table another server has is passed on to it. Responds 503 after
  /// `stop`, and where there may be other servers, and the lease of this one may be over.
  void upgrade(net::Transport transport, UpgradeRequest request, net::Client client);

  /// The same of a request that another server has passed on. Responds 421 when the table is not
  /// this server's, or may not be any more because its lease may be over.
  void upgrade_relayed(net::Transport transport, UpgradeRequest request, net::Client client);

  /// No stream begins from now on, and those that are there end within limits::kStopCloseTime after
  /// their Goodbye, which is that of their tables. Any thread.
  void stop();
  /// Stops, and returns when there is no session and no relay.
  boost::asio::awaitable<void> ended();

 private:
  /// Serves a stream, or passes it on.
  boost::asio::awaitable<void> direct(nodes::Arrival arrival);
  boost::asio::awaitable<void> check_relayed(nodes::Arrival arrival);
  void serve(nodes::Arrival arrival);
  void begin_refusal(nodes::Arrival arrival, boost::beast::http::status status,
                     std::string_view sentence);
  boost::asio::awaitable<void> refuse(nodes::Arrival arrival, boost::beast::http::status status,
                                      std::string_view sentence);
  [[nodiscard]] static std::optional<codec::Protocol> protocol_of(const UpgradeRequest& request);
  [[nodiscard]] base::Loop& loop_of(TableId table) { return io_.at(io_.index_of(table)); }
  /// Runs `work` on a loop, and counts it as open work.
  void run(base::Loop& loop, boost::asio::awaitable<void> work);

  base::IoPool& io_;
  StreamSession::Parts parts_;
  std::vector<Sessions> sessions_;  // of each loop, on its thread
  nodes::Relays* const relays_;
  nodes::RelayedStreams* const relayed_;
  std::atomic<std::size_t> open_{0};
  std::atomic<bool> stopping_{false};
};

}  // namespace tesela::stream
