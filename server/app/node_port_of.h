// The node port of a server as it is configured, and the relays that use it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/accounts/secret_file.h"
#include "server/accounts/tokens.h"
#include "server/app/need.h"
#include "server/base/io_pool.h"
#include "server/base/loop.h"
#include "server/bots/remote_bots.h"
#include "server/directory/directory.h"
#include "server/directory/hand_over.h"
#include "server/directory/rematch.h"
#include "server/matchmaking/matcher.h"
#include "server/metrics/metrics.h"
#include "server/nodes/call_relays.h"
#include "server/nodes/node_port.h"
#include "server/nodes/owner_calls.h"
#include "server/nodes/relay_headers.h"
#include "server/nodes/searches/search_relays.h"
#include "server/nodes/tables_here.h"
#include "server/ops/admin/operator_gate.h"
#include "server/ops/config.h"
#include "server/rpc/method.h"
#include "server/services/cluster_bots.h"
#include "server/services/matchmaking_service.h"
#include "server/store/backend/backend.h"

namespace tesela {

/// Binds; null without --node-port. The proof comes from the secret's file. Throws
/// std::runtime_error with a sentence.
[[nodiscard]] inline std::unique_ptr<nodes::NodePort> open_node_port(const ops::Config& config,
                                                                     nodes::NodePort::Parts parts) {
  if (config.node.port == 0) return nullptr;
  const std::string secret =
      need(accounts::read_secret(accounts::kNodeKey, *config.node_secret_file));
  parts.relays.proof = nodes::proof_of(secret);
  parts.rematch_of = directory::rematch_id;
  return std::make_unique<nodes::NodePort>(std::move(parts));
}

/// The bots of all servers; null where no other server can be asked. All of it outlives it.
[[nodiscard]] inline std::unique_ptr<services::ClusterBots> bots_of_cluster(
    const std::unique_ptr<nodes::NodePort>& node_port, store::Backend& backend, base::IoPool& io,
    bots::RemoteBots& remote_bots) {
  if (!node_port || backend.offered_bots() == nullptr) return nullptr;
  return std::make_unique<services::ClusterBots>(
      services::ClusterBots::Parts{.io = io,
                                   .store = *backend.offered_bots(),
                                   .life = backend.life(),
                                   .calls = node_port->node_calls(),
                                   .remote_bots = remote_bots});
}

/// The live tables of a server. Both outlive it.
[[nodiscard]] inline nodes::TablesHere tables_in(base::IoPool& io,
                                                 directory::Directory& directory) {
  return {.loop_of = [&io](TableId id) -> base::Loop& { return io.at(io.index_of(id)); },
          .is_live = [&directory](TableId id) { return directory.is_live(id); },
          .left = [&directory](TableId id) { return directory.hand_over().left(id); }};
}

/// The methods of several services.
[[nodiscard]] inline std::vector<rpc::Method> methods_of(
    std::initializer_list<std::vector<rpc::Method>> services) {
  std::vector<rpc::Method> all;
  for (const std::vector<rpc::Method>& methods : services) {
    std::ranges::copy(methods, std::back_inserter(all));
  }
  return all;
}

/// The methods as clients call them: with a node port the owners of tables are asked. Calls that
/// `admits` refuses are answered here.
[[nodiscard]] inline std::vector<rpc::Method> relayed(
    const std::unique_ptr<nodes::NodePort>& node_port, std::vector<rpc::Method> methods,
    nodes::Admits admits) {
  if (!node_port) return methods;
  return node_port->calls().relayed(std::move(methods), std::move(admits));
}

/// Null without a node port.
[[nodiscard]] inline std::unique_ptr<nodes::SearchRelays> open_search_relays(
    const std::unique_ptr<nodes::NodePort>& node_port, store::Backend& backend,
    const matchmaking::Matcher& matcher, services::MatchmakingService& service,
    metrics::Metrics& metrics, base::Loop& loop) {
  if (!node_port) return nullptr;
  return std::make_unique<nodes::SearchRelays>(nodes::SearchRelays::Parts{
      .relays = node_port->relays(),
      .ownership = backend.ownership(),
      .life = backend.life(),
      .metrics = metrics,
      .loop = loop,
      .leads = [&matcher] { return matcher.leads(); },
      .find = service.methods_for_relays().front(),
      .hold = [&service](const rpc::Caller& caller) { return service.hold(caller); }});
}

/// Callers with a valid token.
[[nodiscard]] inline nodes::Admits players_of(const accounts::Tokens& tokens) {
  return [&tokens](const rpc::Caller& caller) { return tokens.verify(caller.token).has_value(); };
}

/// Callers with the admin token.
[[nodiscard]] inline nodes::Admits operators_of(const ops::OperatorGate& gate) {
  return [&gate](const rpc::Caller& caller) { return gate.find(caller).has_value(); };
}

}  // namespace tesela
