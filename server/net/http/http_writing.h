// Writes responses of HTTP/1.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/message.hpp>
#include <string>
#include <string_view>

#include "server/net/http/http_message.h"
#include "server/net/transport.h"

namespace tesela::net {

/// What comes after the last chunk of a body.
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

/// A piece of a body, which is not empty, as one chunk.
[[nodiscard]] std::string chunk_of(std::string_view piece);

/// Writes a head, which says how the body is framed, and the body. False when the connection has
/// failed. Both stay where they are until it returns.
boost::asio::awaitable<bool> write_response(Transport& stream, const http::response_header<>& head,
                                            std::string_view body);

}  // namespace tesela::net
