// Counts every call of the gRPC server by its method and how it ended.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <memory>

#include "server/ops/metrics.h"

namespace tesela::net {

/// `metrics` must outlive the server that it is given to.
[[nodiscard]] std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> count_rpcs(
    ops::Metrics& metrics);

}  // namespace tesela::net
