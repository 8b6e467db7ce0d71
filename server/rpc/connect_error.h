// Errors as the Connect protocol tells them: https://connectrpc.com/docs/protocol#error-codes
#pragma once

#include <grpcpp/support/status.h>

#include <boost/beast/http/status.hpp>
#include <map>
#include <string>
#include <string_view>

#include "server/net/http/http_message.h"

namespace tesela::rpc {

/// Values of one name are in the order in which they came.
using Metadata = std::multimap<std::string, std::string>;

/// "not_found" for NOT_FOUND. "unknown" for a number that is no code.
[[nodiscard]] std::string_view connect_code(grpc::StatusCode code);

/// The HTTP status that a unary call ends with.
[[nodiscard]] unsigned http_status(grpc::StatusCode code);

/// {"code":…,"message":…,"details":[…]}: the details are those of the google.rpc.Status in the
/// status's error_details.
[[nodiscard]] std::string error_json(const grpc::Status& status);

/// The JSON of a stream's last envelope: {} after success, {"error":…,"metadata":…}.
[[nodiscard]] std::string end_stream_json(const grpc::Status& status, const Metadata& trailers);

/// The response that a unary call fails with.
[[nodiscard]] net::Response error_response(const grpc::Status& status);

}  // namespace tesela::rpc
