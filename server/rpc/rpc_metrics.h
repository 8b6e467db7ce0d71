// Counts every call of the gRPC server by its method and how it ended.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <memory>

#include "server/metrics/metrics.h"

namespace tesela::rpc {

/// A call of a method that does not exist is counted as "unknown" (rpc_label). One whose message
/// cannot be read is answered INVALID_ARGUMENT and a sentence, in the place of gRPC's UNIMPLEMENTED
/// without one. `metrics` must outlive the server that it is given to.
[[nodiscard]] std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> count_rpcs(
    metrics::Metrics& metrics);

}  // namespace tesela::rpc
