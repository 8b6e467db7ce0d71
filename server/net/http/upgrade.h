// Where HTTP ends and a stream begins.
#pragma once

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <functional>

#include "server/net/client.h"
#include "server/net/transport.h"

namespace tesela::net {

/// Called with each WebSocket upgrade request for a path of the form /v1/tables/{id}/stream ({id}
/// is neither empty nor checked) whose Origin may come here, on the thread of the socket's own
/// io_context. Nothing has been answered and nothing behind the request has been read. The client
/// is kept as long as the socket.
using UpgradeHandler = std::function<void(
    Transport, boost::beast::http::request<boost::beast::http::empty_body>, Client)>;

}  // namespace tesela::net
