// Opening connections: plain TCP, and the WebSocket of a table.
#pragma once

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <string>

#include "clients/cli/server_address.h"
#include "clients/cli/task.h"
#include "engine/core/result.h"

namespace tesela::cli {

using Endpoints = boost::asio::ip::tcp::resolver::results_type;
using WebSocket = boost::beast::websocket::stream<Socket>;

/// For a connection to be made, and for a request or an upgrade to be answered.
inline constexpr std::chrono::seconds kConnectTimeMax{10};
/// Without a sign of life for this long a stream is given up. Servers send one more often.
inline constexpr std::chrono::seconds kSilenceMax{20};

/// Where `server` may be found. kUnavailable when its name is not known.
Task<Expected<Endpoints>> resolve(ServerAddress server);

/// The first of `endpoints` that answers, with Nagle's delay off. kUnavailable when none does in
/// time.
Task<Expected<Socket>> connect(Endpoints endpoints);

/// A WebSocket at `path` of the server, with our binary sub-protocol. kUnavailable when it cannot
/// be reached or is too busy, kInvalidArgument when there is nothing like that to upgrade to.
Task<Expected<WebSocket>> open_web_socket(Endpoints endpoints, std::string host, std::string path);

/// The path of a table's stream.
[[nodiscard]] std::string stream_path(const std::string& table_id);

}  // namespace tesela::cli
