// Requests and responses of HTTP handlers.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "server/quota/admission_control.h"

namespace tesela::net {

namespace http = boost::beast::http;

/// The client that sends a request.
struct Sender {
  boost::asio::ip::address address;
  quota::QuotaPtr quota{};  // of the address; none: no limit holds it
  bool foreign_host{};      // quota::HostNames::own: no
  bool through_proxy{};     // whose connection has no slot among those of the address
  // Of a request that another server passes on: when it came there, and whether it was passed on
  // before and counted then (quota::Act::kTable).
  std::optional<std::chrono::steady_clock::time_point> began{};
  bool counted{};
};

/// A whole request, its body within limits::kHttpBodyBytesMax.
struct Request : http::request<http::string_body> {
  Sender sender;
};
/// The same before its body was read.
using RequestHead = http::request_header<>;

/// A body that is produced while it is sent.
class ChunkSource {
 public:
  virtual ~ChunkSource() = default;

  /// The next piece, empty at the end; never called again after that, nor before the piece before
  /// has been taken by the client. When the client is gone, the coroutine that awaits it is
  /// cancelled and the source destroyed.
  virtual boost::asio::awaitable<std::optional<std::string>> next() = 0;
};

struct Response {
  http::status status{http::status::ok};
  http::fields headers;  // without those of the framing, which the session adds
  /// A view is of memory that lives as long as the process.
  std::variant<std::string, std::string_view, std::unique_ptr<ChunkSource>> body;
};

/// A sentence as text/plain.
[[nodiscard]] Response text_response(http::status status, std::string sentence);

/// The path of a request target: the part before '?'.
[[nodiscard]] std::string_view path_of(std::string_view target);

/// Whether a path is of the form /v1/tables/{id}/stream; {id} is neither empty nor checked.
[[nodiscard]] bool is_stream_path(std::string_view path);

}  // namespace tesela::net
