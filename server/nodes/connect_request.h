// Calls of the Connect protocol, as servers send them to each other.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "server/nodes/relays.h"

namespace tesela::nodes {

/// A call without a client, a token and a time until which it is waited for. `time`: how long the
/// server that answers has; empty: as long as it wants.
[[nodiscard]] CallRequest connect_request(std::string_view path, std::string_view content_type,
                                          std::string body,
                                          std::optional<std::chrono::milliseconds> time);

/// The same of a unary method, in protobuf, which is waited for until `until`.
[[nodiscard]] CallRequest unary_request(std::string_view path, std::string body,
                                        std::chrono::steady_clock::time_point until);

/// Has the call show the bearer token of its client, if it has one.
void show_token(CallRequest& call, const std::string& token);

}  // namespace tesela::nodes
