// The node port of a server, as it is configured.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "server/accounts/secret_file.h"
#include "server/need.h"
#include "server/nodes/node_port.h"
#include "server/nodes/relay_headers.h"
#include "server/ops/config.h"

namespace tesela {

/// Binds; null without --node-port. The proof comes from the secret's file. Throws
/// std::runtime_error with a sentence.
[[nodiscard]] inline std::unique_ptr<nodes::NodePort> open_node_port(const ops::Config& config,
                                                                     nodes::NodePort::Parts parts) {
  if (config.node.port == 0) return nullptr;
  const std::string secret =
      need(accounts::read_secret(accounts::kNodeKey, *config.node_secret_file));
  parts.relays.proof = nodes::proof_of(secret);
  return std::make_unique<nodes::NodePort>(std::move(parts));
}

}  // namespace tesela
