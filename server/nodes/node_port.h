// The port at which the servers on one database reach each other.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "server/base/io_pool.h"
#include "server/metrics/metrics.h"
#include "server/net/client.h"
#include "server/net/endpoint.h"
#include "server/net/http/http_session.h"
#include "server/net/listener.h"
#include "server/nodes/call_relays.h"
#include "server/nodes/leader_calls.h"
#include "server/nodes/node_calls.h"
#include "server/nodes/node_methods.h"
#include "server/nodes/node_session.h"
#include "server/nodes/owner_calls.h"
#include "server/nodes/relayed_streams.h"
#include "server/nodes/relays.h"
#include "server/nodes/tables_here.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"

namespace tesela::nodes {

/// Both directions: takes the streams and calls that others relay, and relays streams and calls to
/// others. Threading: as Listener; `relays`, `relayed_streams`, `calls` and `node_calls` from any
/// thread.
class NodePort {
 public:
  struct Parts {
    net::Endpoint at;
    base::IoPool& io;  // of the connections until they are streams
    std::size_t connections_max;
    quota::AdmissionControl& clients;
    net::UpgradeHandler upgrade;  // takes relayed streams
    Relays::Parts relays;
    TablesHere here{};
    std::vector<rpc::Method> methods{};            // those of methods_of_owner
    std::vector<rpc::Method> node_methods{};       // of tesela.node.v1
    std::vector<rpc::Method> leader_methods{};     // as in LeaderCalls
    std::function<bool()> leads{};                 // likewise
    std::function<TableId(TableId)> rematch_of{};  // as in CallRelays
  };

  /// Binds. Throws std::runtime_error with a sentence when the address cannot be used.
  explicit NodePort(Parts parts);
  NodePort(const NodePort&) = delete;
  NodePort& operator=(const NodePort&) = delete;

  /// Begins to accept. Once.
  void start() {
    relayed_streams_.start();
    listener_.start();
  }
  [[nodiscard]] std::uint16_t port() const { return listener_.port(); }
  [[nodiscard]] Relays& relays() { return relays_; }
  [[nodiscard]] RelayedStreams& relayed_streams() { return relayed_streams_; }
  [[nodiscard]] CallRelays& calls() { return call_relays_; }
  [[nodiscard]] NodeCalls& node_calls() { return node_calls_; }

  /// Accepts nothing more, closes relayed streams, and returns when the last connection has ended
  /// that is no stream. Calls that were passed on to others have most of the time, too.
  boost::asio::awaitable<void> stop(std::chrono::milliseconds grace);

 private:
  Relays relays_;
  RelayedStreams relayed_streams_;
  CallRelays call_relays_;
  NodeCalls node_calls_;
  OwnerCalls owner_calls_;
  quota::AdmissionControl admission_;
  NodeMethods node_methods_;
  LeaderCalls leader_calls_;
  net::ConnectionLimit connections_;
  net::Listener<NodeSession> listener_;
};

}  // namespace tesela::nodes
