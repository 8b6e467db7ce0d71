// Opening connections, and the WebSocket of a table.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "clients/cli/client/connection.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "engine/core/result.h"

namespace tesela::cli {

using Endpoints = boost::asio::ip::tcp::resolver::results_type;
// Without compression, which the server does not offer either.
using WebSocket = boost::beast::websocket::stream<Connection, false>;

/// For a connection to be made, and for a request to be answered.
inline constexpr std::chrono::seconds kConnectTimeMax{10};
/// For the answer to an upgrade: the server that was found may stand still, and another one be
/// found next.
inline constexpr std::chrono::seconds kUpgradeTimeMax{4};
/// An answer in parts of which nothing arrives for this long is closed. Servers send something more
/// often.
inline constexpr std::chrono::seconds kSilenceMax{20};
/// The same of a table's stream, which is pinged after half of it: a server that stands still
/// breaks no connection.
inline constexpr std::chrono::seconds kStreamSilenceMax{10};

/// The addresses of `server`. kUnavailable when its name cannot be resolved.
Task<Expected<Endpoints>> resolve(ServerAddress server);

/// The first of the server's `endpoints` that answers, with Nagle's delay off, under TLS where the
/// server speaks it. kUnavailable when none does in time, or its certificate is not trusted.
Task<Expected<Connection>> connect(Endpoints endpoints, ServerAddress server);

/// A WebSocket at `path` of the server, with our binary sub-protocol. kUnavailable when it cannot
/// be reached or is too busy, kInvalidArgument when it refuses the upgrade.
Task<Expected<WebSocket>> open_web_socket(Endpoints endpoints, ServerAddress server,
                                          std::string path);

/// The result of `work`, or kUnavailable after `time_max`: then `work` is cancelled.
template <class T>
Task<Expected<T>> in_time(Task<Expected<T>> work, std::chrono::seconds time_max);

/// The path of a table's stream.
[[nodiscard]] std::string stream_path(const std::string& table_id);

// ------------------------------------------------------------------------------------------------

/// Whether `work` ends before `time_max` has passed. Otherwise it is cancelled.
Task<bool> ends_in_time(Task<void> work, std::chrono::seconds time_max);

template <class T>
Task<Expected<T>> in_time(Task<Expected<T>> work, std::chrono::seconds time_max) {
  std::optional<Expected<T>> result;
  auto kept = keep_result(std::move(work), result);
  if (co_await ends_in_time(std::move(kept), time_max)) co_return *std::move(result);
  co_return refuse(ErrorCode::kUnavailable, "The server did not answer in time.");
}

}  // namespace tesela::cli
