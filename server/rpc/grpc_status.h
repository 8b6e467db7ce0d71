// Errors as statuses of gRPC.
#pragma once

#include <grpcpp/support/status.h>

#include <optional>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::rpc {

[[nodiscard]] grpc::StatusCode to_status_code(ErrorCode code);
/// The code, the message, and a google.rpc.ErrorInfo as detail. Its reason names the ErrorCode:
/// "SEAT_TAKEN" for kSeatTaken.
[[nodiscard]] grpc::Status to_status(const Error& error);
/// The ErrorCode that such a reason names; empty for any other text.
[[nodiscard]] std::optional<ErrorCode> error_code_of(std::string_view reason);

}  // namespace tesela::rpc
