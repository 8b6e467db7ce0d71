// Where HTTP ends and a stream begins.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <functional>

#include "server/net/connection_limit.h"

namespace tesela::net {

/// Called with each WebSocket upgrade request for a path of the form /v1/tables/{id}/stream ({id}
/// is neither empty nor checked) whose Origin may come here, on the thread of the socket's own
/// io_context. Nothing has been answered and nothing behind the request has been read. The slot
/// counts the connection: it is kept as long as the socket.
using UpgradeHandler = std::function<void(
    boost::asio::ip::tcp::socket, boost::beast::http::request<boost::beast::http::empty_body>,
    ConnectionSlot)>;

}  // namespace tesela::net
