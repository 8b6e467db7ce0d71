// The routes /metrics, /healthz and /readyz.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>

#include "server/metrics/metrics.h"
#include "server/net/http/http_router.h"
#include "server/ops/health.h"

namespace tesela::ops {

/// /healthz is 200 as long as the process answers; /readyz is 200, or 503 with the reason. `health`
/// outlives the router.
void add_health_routes(net::HttpRouter& router, const Health& health);
/// The page of /metrics is rendered on `thread`, because it may be large. `data` is the folder
/// whose free disk space and last backup are reported. The references outlive the router.
void add_metrics_route(net::HttpRouter& router, metrics::Metrics& metrics, const Health& health,
                       std::filesystem::path data, boost::asio::any_io_executor thread);

}  // namespace tesela::ops
