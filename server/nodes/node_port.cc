#include "server/nodes/node_port.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "server/base/relay_limits.h"

namespace tesela::nodes {
namespace {

quota::AdmissionControl::Options strangers(std::size_t connections_max) {
  const std::size_t quarter = std::max<std::size_t>(connections_max / 4, 1);
  return {.connections_per_address = std::min(limits::kNodeStrangersPerAddress, quarter)};
}

}  // namespace

NodePort::NodePort(Parts parts)
    : relays_(parts.relays),
      relayed_streams_(parts.io.any(), parts.relays.ownership),
      call_relays_(
          {.relays = relays_, .here = parts.here, .rematch_of = std::move(parts.rematch_of)}),
      node_calls_(relays_, parts.io),
      owner_calls_({.here = parts.here,
                    .relays = relays_,
                    .admission = parts.clients,
                    .metrics = parts.relays.metrics,
                    .methods = std::move(parts.methods)}),
      admission_(strangers(parts.connections_max), parts.relays.metrics),
      node_methods_(parts.node_methods, admission_, parts.relays.metrics),
      // Searches leave room for streams.
      leader_calls_({.methods = std::move(parts.leader_methods),
                     .leads = std::move(parts.leads),
                     .at_once_max = std::max<std::size_t>(parts.connections_max / 2, 1)},
                    parts.clients, parts.relays.metrics),
      connections_(parts.connections_max, parts.relays.metrics),
      listener_(parts.at, parts.io,
                {.connections = connections_,
                 .admission = admission_,
                 .clients = parts.clients,
                 .metrics = parts.relays.metrics,
                 .proof = parts.relays.proof,
                 .upgrade = std::move(parts.upgrade),
                 .calls = owner_calls_,
                 .node_methods = node_methods_,
                 .leader = leader_calls_,
                 .relayed = relayed_streams_}) {}

boost::asio::awaitable<void> NodePort::stop(std::chrono::milliseconds grace) {
  // A later answer could not be passed on in time.
  relays_.stop(grace * 3 / 4);
  co_await listener_.stop(grace);
  co_await relayed_streams_.stop();
}

}  // namespace tesela::nodes
