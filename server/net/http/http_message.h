// What an HTTP handler is given and what it gives back.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tesela::net {

namespace http = boost::beast::http;

/// A whole request, its body within limits::kHttpBodyBytesMax.
using Request = http::request<http::string_body>;
/// The same before its body was read.
using RequestHead = http::request_header<>;

/// A body that is made while it is sent.
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

/// The path of a request target: what stands before '?'.
[[nodiscard]] std::string_view path_of(std::string_view target);

}  // namespace tesela::net
