// The paths that operators and their machines ask: /metrics, /healthz, /readyz.
#pragma once

#include "server/net/http_router.h"
#include "server/ops/health.h"
#include "server/ops/metrics.h"

namespace tesela::net {

/// Both must outlive the router. /healthz is 200 as long as the process answers; /readyz is 200 or
/// 503 with the reason.
void add_ops_routes(HttpRouter& router, const ops::Metrics& metrics, const ops::Health& health);

}  // namespace tesela::net
