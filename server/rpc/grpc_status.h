// Errors as statuses of gRPC.
#pragma once

#include <grpcpp/support/status.h>

#include "engine/core/result.h"

namespace tesela::rpc {

[[nodiscard]] grpc::StatusCode to_status_code(ErrorCode code);
/// The code, the message, and a google.rpc.ErrorInfo as detail. Its reason names the ErrorCode:
/// "SEAT_TAKEN" for kSeatTaken.
[[nodiscard]] grpc::Status to_status(const Error& error);

}  // namespace tesela::rpc
