// What lets a page of another origin use the RPCs, where the operator allows it
// (https://fetch.spec.whatwg.org/#http-cors-protocol).
#pragma once

#include "server/net/http/http_message.h"

namespace tesela::net {

/// Answers the preflight of a call from an allowed origin.
[[nodiscard]] Response preflight_response();

/// Lets the page of `origin`, which is allowed, read `response`.
void share_with(std::string_view origin, Response& response);

}  // namespace tesela::net
