#include "server/nodes/leader_calls.h"

#include <utility>

namespace tesela::nodes {

LeaderCalls::LeaderCalls(Parts parts, quota::AdmissionControl& clients, metrics::Metrics& metrics)
    : methods_(parts.methods, clients, metrics),
      leads_(std::move(parts.leads)),
      places_(parts.at_once_max) {}

}  // namespace tesela::nodes
