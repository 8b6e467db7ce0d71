#include "server/nodes/node_port.h"

#include <utility>

namespace tesela::nodes {

NodePort::NodePort(Parts parts)
    : relays_(parts.relays),
      admission_({}, parts.relays.metrics),
      connections_(parts.connections_max, parts.relays.metrics),
      listener_(parts.at, parts.io,
                {.connections = connections_,
                 .admission = admission_,
                 .clients = parts.clients,
                 .metrics = parts.relays.metrics,
                 .proof = parts.relays.proof,
                 .upgrade = std::move(parts.upgrade)}) {}

boost::asio::awaitable<void> NodePort::stop(std::chrono::milliseconds grace) {
  relays_.stop();
  co_await listener_.stop(grace);
}

}  // namespace tesela::nodes
