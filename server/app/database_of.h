// Connects a server's health and metrics with its database.
#pragma once

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

#include "engine/core/result.h"
#include "server/base/log/log_limits.h"
#include "server/base/log/seldom_log.h"
#include "server/metrics/metrics.h"
#include "server/net/endpoint.h"
#include "server/nodes/node_address.h"
#include "server/ops/config.h"
#include "server/ops/health.h"
#include "server/store/reports.h"

namespace tesela {

/// Where the other servers reach this one (nodes::NodeAddress); without a node port, what tells it
/// from them: the name of the machine, and the port of HTTP.
[[nodiscard]] inline std::string address_of(const ops::Config& config) {
  std::array<char, 256> machine{};
  if (::gethostname(machine.data(), machine.size() - 1) != 0) machine.front() = '?';
  const std::string name = config.node_name.empty() ? machine.data() : config.node_name;
  if (config.node.port != 0) return nodes::to_text({.host = name, .port = config.node.port});
  return net::host_and_port(name, config.http.port);
}

/// On a database of its own a server that cannot write is not ready.
[[nodiscard]] inline ops::Health::Away away_means(const ops::Config& config) {
  return config.database.empty() ? ops::Health::Away::kNotReady : ops::Health::Away::kReady;
}

/// Logs a change of the store's health.
inline void tell_health(const Expected<void>& writable) {
  if (writable) {
    spdlog::warn("the database can be written again");
  } else {
    spdlog::error("{}", writable.error().message);
  }
}

/// Observes the commits, and logs slow ones. `metrics` outlives the database.
[[nodiscard]] inline store::OnCommit commit_observer(metrics::Metrics& metrics) {
  return [&metrics](const store::CommitReport& report) {
    metrics.commit_seconds().observe(std::chrono::duration<double>(report.time).count());
    metrics.commit_writes().observe(static_cast<double>(report.writes));
    if (report.time < limits::kSlowCommit) return;
    static base::SeldomLog lines;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(report.time);
    lines.log(spdlog::level::info, "slow commit", {{"ms", ms.count()}, {"writes", report.writes}});
  };
}

}  // namespace tesela
