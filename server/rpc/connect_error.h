// Errors in the Connect protocol: https://connectrpc.com/docs/protocol#error-codes
#pragma once

#include <grpcpp/support/status.h>

#include <boost/beast/http/status.hpp>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "server/net/http/http_message.h"

namespace tesela::rpc {

/// "not_found" for NOT_FOUND. "unknown" for a number that is no code.
[[nodiscard]] std::string_view connect_code(grpc::StatusCode code);

/// The HTTP status that a unary call ends with.
[[nodiscard]] unsigned http_status(grpc::StatusCode code);

/// {"code":…,"message":…,"details":[…]}: the details are those of the google.rpc.Status in the
/// status's error_details.
[[nodiscard]] std::string error_json(const grpc::Status& status);

/// The JSON of a stream's last envelope: {} after success, {"error":…}.
[[nodiscard]] std::string end_stream_json(const grpc::Status& status);

/// The trailers of gRPC-Web's last envelope.
[[nodiscard]] std::string grpc_web_trailers(const grpc::Status& status);

/// Reads such a JSON of another server again: nothing after success, or the error, as read_error.
[[nodiscard]] Expected<void> read_end_stream(std::string_view json);

/// The response that a unary call fails with.
[[nodiscard]] net::Response error_response(const grpc::Status& status);

/// The error in a response that another server of this protocol has failed a unary call with, by
/// its status and its body. What such a server could not have said is kInternal.
[[nodiscard]] Error read_error(unsigned http_status, std::string_view body);

}  // namespace tesela::rpc
