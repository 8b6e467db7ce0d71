// Errors as statuses of gRPC.
#pragma once

#include <grpcpp/support/status.h>

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::rpc {

/// The code, the message, and a google.rpc.ErrorInfo as detail. Its reason names the ErrorCode:
/// "SEAT_TAKEN" for kSeatTaken.
[[nodiscard]] grpc::Status to_status(const Error& error);
/// The same without an ErrorCode: the reason is the name of the code.
[[nodiscard]] grpc::Status unimplemented(const std::string& sentence);
[[nodiscard]] grpc::Status deadline_exceeded(const std::string& sentence);
/// The same refusal with a google.rpc.RequestInfo as a further detail. OK and a status without
/// details stay as they are.
[[nodiscard]] grpc::Status with_request(const grpc::Status& status, const std::string& request_id);
/// Of a call of `path` where nothing is: "/tesela.lobby.v1.LobbyService/Nothing".
[[nodiscard]] grpc::Status no_such_method(std::string_view path);
/// The ErrorCode that such a reason names; empty for any other text.
[[nodiscard]] std::optional<ErrorCode> error_code_of(std::string_view reason);

}  // namespace tesela::rpc
