// Entity tags (RFC 9110, 8.8.3): what a client has already is not sent again.
#pragma once

#include <string>
#include <string_view>

#include "server/net/http/http_message.h"

namespace tesela::net {

/// The hexadecimal digits of a hash of `content`.
[[nodiscard]] std::string digest_of(std::string_view content);

/// Sets the ETag of a response. Whether the client has that already, by its If-None-Match: then the
/// response is 304 Not Modified, and needs no body.
[[nodiscard]] bool revalidates(const Request& request, std::string_view etag, Response& response);

}  // namespace tesela::net
