// The paths that operators and their machines ask: /metrics, /healthz, /readyz.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>

#include "server/metrics/metrics.h"
#include "server/net/http/http_router.h"
#include "server/ops/health.h"

namespace tesela::ops {

/// All must outlive the router. `data` is the folder whose disk is looked at. /healthz is 200 as
/// long as the process answers; /readyz is 200 or 503 with the reason.
void add_health_routes(net::HttpRouter& router, const Health& health);
/// The page of /metrics is made on `thread`, which no table and no stream needs: there may be much
/// to write.
void add_metrics_route(net::HttpRouter& router, metrics::Metrics& metrics, const Health& health,
                       std::filesystem::path data, boost::asio::any_io_executor thread);

}  // namespace tesela::ops
