// The one place where our errors become gRPC's.
#pragma once

#include <grpcpp/support/status.h>

#include "engine/core/result.h"

namespace tesela::net {

[[nodiscard]] grpc::StatusCode to_status_code(ErrorCode code);
[[nodiscard]] grpc::Status to_status(const Error& error);

}  // namespace tesela::net
