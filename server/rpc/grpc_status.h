// The one place where our errors become gRPC's.
#pragma once

#include <grpcpp/support/status.h>

#include "engine/core/result.h"

namespace tesela::rpc {

[[nodiscard]] grpc::StatusCode to_status_code(ErrorCode code);
/// The code, the sentence, and as a detail a google.rpc.ErrorInfo, by whose reason programs tell
/// the causes of one code apart: "SEAT_TAKEN" for kSeatTaken.
[[nodiscard]] grpc::Status to_status(const Error& error);

}  // namespace tesela::rpc
