// What operators reach of a server, at it or by way of another one.
#pragma once

#include <unistd.h>

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "engine/core/result.h"
#include "server/accounts/secret_file.h"
#include "server/accounts/tokens.h"
#include "server/app/need.h"
#include "server/app/secrets_of.h"
#include "server/bots/bot_threads.h"
#include "server/bots/remote_bots.h"
#include "server/directory/directory.h"
#include "server/metrics/metrics.h"
#include "server/nodes/node_calls.h"
#include "server/ops/act_effects.h"
#include "server/ops/admin/admin_moderation.h"
#include "server/ops/admin/admin_nodes.h"
#include "server/ops/admin/admin_service.h"
#include "server/ops/admin/node_service.h"
#include "server/ops/admin/operator_gate.h"
#include "server/ops/admin/this_node.h"
#include "server/ops/config.h"
#include "server/ops/health.h"
#include "server/store/backend/backend.h"

namespace tesela {

/// Any thread.
class Operators {
 public:
  /// What they use; outlives them.
  struct Parts {
    const ops::Config& config;
    store::Backend& backend;
    accounts::Tokens& tokens;
    directory::Directory& directory;
    ops::ActEffects& effects;
    const ops::Health& health;
    metrics::Metrics& metrics;
    const bots::BotThreads& bots;
    const bots::RemoteBots& remote_bots;
    std::function<nodes::NodeCalls&()> node_calls;  // of the node port, if there is one
    std::function<boost::asio::awaitable<void>()> drain;
    std::function<Expected<void>()> undrain;
  };

  /// Throws std::runtime_error with a sentence when the token or the list of operators cannot be
  /// read.
  explicit Operators(Parts parts) : parts_(std::move(parts)) {}
  Operators(const Operators&) = delete;
  Operators& operator=(const Operators&) = delete;

  /// Who is admitted to the services of operators.
  [[nodiscard]] ops::OperatorGate& gate() { return gate_; }
  [[nodiscard]] ops::AdminService& admin() { return admin_; }
  [[nodiscard]] ops::AdminModeration& moderation() { return moderation_; }
  /// For other servers.
  [[nodiscard]] ops::NodeService& node_service() { return node_service_; }

 private:
  /// Bots from outside that are offered here.
  [[nodiscard]] std::uint32_t remote_bots() const {
    return static_cast<std::uint32_t>(parts_.remote_bots.here().size());
  }
  [[nodiscard]] ops::AskNode ask_nodes() {
    if (parts_.config.node.port == 0) return {};
    return [this](std::string address, const std::string& method,
                  const google::protobuf::Message& request,
                  std::chrono::steady_clock::time_point until) {
      const std::string path = "/tesela.node.v1.NodeService/" + method;
      return parts_.node_calls().call(std::move(address), path, request, until);
    };
  }

  const Parts parts_;
  ops::OperatorGate gate_{
      need(secret(accounts::kAdminKey, parts_.config.admin_token_file, parts_.config.data)),
      need(operators(parts_.config)), parts_.config.ops_port.has_value()};
  ops::ThisNode here_{{.directory = parts_.directory,
                       .health = parts_.health,
                       .metrics = parts_.metrics,
                       .drain = parts_.drain,
                       .undrain = parts_.undrain,
                       .exit = [] { ::kill(::getpid(), SIGTERM); }}};
  ops::NodeService node_service_{
      {.here = here_,
       .life = parts_.backend.life(),
       .bot_searches = [this] { return static_cast<std::uint32_t>(parts_.bots.tasks()); },
       .remote_bots = [this] { return remote_bots(); }}};
  ops::AdminNodes nodes_{{.nodes = parts_.backend.nodes(),
                          .life = parts_.backend.life(),
                          .here = here_,
                          .ask = ask_nodes()}};
  ops::AdminService admin_{{.config = parts_.config,
                            .log = parts_.backend.history(),
                            .snapshots = parts_.backend.snapshots(),
                            .table_rows = parts_.backend.table_rows(),
                            .store = parts_.backend.store(),
                            .personal = parts_.backend.personal_data(),
                            .accounts = parts_.backend.accounts(),
                            .profiles = parts_.backend.profiles(),
                            .moderation = parts_.backend.moderation(),
                            .friends = parts_.backend.friends(),
                            .notices = parts_.backend.notices(),
                            .tokens = parts_.tokens,
                            .directory = parts_.directory,
                            .here = here_,
                            .nodes = nodes_,
                            .gate = gate_}};
  ops::AdminModeration moderation_{{.store = parts_.backend.store(),
                                    .table_rows = parts_.backend.table_rows(),
                                    .directory = parts_.directory,
                                    .moderation = parts_.backend.moderation(),
                                    .tokens = parts_.tokens,
                                    .effects = parts_.effects,
                                    .gate = gate_}};
};

}  // namespace tesela
