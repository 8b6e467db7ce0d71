// The port of operators, as it is configured, and what is served at that of everybody.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "server/app/pages.h"
#include "server/base/io_pool.h"
#include "server/base/limits.h"
#include "server/metrics/metrics.h"
#include "server/net/client.h"
#include "server/net/endpoint.h"
#include "server/net/http/http_router.h"
#include "server/net/http/http_session.h"
#include "server/net/http/origins.h"
#include "server/net/listener.h"
#include "server/ops/config.h"
#include "server/ops/health.h"
#include "server/ops/ops_routes.h"
#include "server/quota/admission_control.h"
#include "server/rpc/connect_gateway.h"

namespace tesela {

/// Adds the routes of the services that players call.
inline void add_services_of_players(rpc::ConnectGateway& gateway, net::HttpRouter& router) {
  for (const char* service :
       {"lobby.v1.Lobby", "lobby.v1.History", "lobby.v1.Matchmaking", "lobby.v1.Leaderboard",
        "account.v1.Account", "account.v1.Conduct", "account.v1.Friend", "account.v1.Notification",
        "account.v1.Profile", "bot.v1.Bot"}) {
    gateway.add_routes(router, "tesela." + std::string(service) + "Service");
  }
  rpc::ConnectGateway::add_unknown_services(router);
}

/// Where operators are answered: at --ops-port, or without it at the port of everybody. Destroy it
/// after `stop` has returned, or when the pool no longer runs.
class OpsPort {
 public:
  /// Everything outlives it.
  struct Parts {
    const ops::Config& config;
    base::IoPool& io;
    net::HttpRouter& everybody;  // of the port of everybody
    rpc::ConnectGateway& gateway;
    const net::Origins& origins;
    const ops::Health& health;
    metrics::Metrics& metrics;
    const Pages& pages;
  };

  /// Adds the routes of operators, and binds the port, which accepts nothing yet. Throws
  /// std::runtime_error with a sentence when the address cannot be used.
  explicit OpsPort(const Parts& parts)
      : admission_{{.connections_per_address = kConnectionsPerAddress, .hosts = parts.config.hosts},
                   parts.metrics},
        connections_{limits::kOpsConnectionsMax, parts.metrics} {
    const ops::Config& config = parts.config;
    net::HttpRouter& router = config.ops_port ? router_ : parts.everybody;
    ops::add_metrics_route(router, parts.metrics, parts.health, config.data,
                           parts.io.any().get_executor());
    for (const char* service : {"Admin", "Moderation"}) {
      parts.gateway.add_routes(router, "tesela.admin.v1." + std::string(service) + "Service");
    }
    if (!config.ops_port) return;
    ops::add_health_routes(router_, parts.health);
    parts.pages.add_console(router_);
    listener_.emplace(net::Endpoint{config.ops_address, *config.ops_port}, parts.io,
                      net::HttpSession::Parts{.router = router_,
                                              .origins = parts.origins,
                                              .connections = connections_,
                                              .admission = admission_,
                                              .metrics = parts.metrics,
                                              .upgrade = {}});
  }
  OpsPort(const OpsPort&) = delete;
  OpsPort& operator=(const OpsPort&) = delete;

  /// The port that was opened, also for port 0; 0 without --ops-port.
  [[nodiscard]] std::uint16_t port() const { return listener_ ? listener_->port() : 0; }

  /// As those of net::Listener; without --ops-port they have no effect.
  void start() {
    if (listener_) listener_->start();
  }
  boost::asio::awaitable<void> stop(std::chrono::milliseconds grace) {
    if (listener_) co_await listener_->stop(grace);
  }

 private:
  // Of limits::kOpsConnectionsMax. Above: HTTP 429. A /48 of IPv6 has four times as many.
  static constexpr std::size_t kConnectionsPerAddress = 12;
  static_assert(4 * kConnectionsPerAddress < limits::kOpsConnectionsMax);

  net::HttpRouter router_;
  // With limits of its own, so that operators can always connect.
  quota::AdmissionControl admission_;
  net::ConnectionLimit connections_;
  std::optional<net::Listener<net::HttpSession>> listener_;
};

}  // namespace tesela
