// Where a request of HTTP/1 begins and ends, judged more strictly than Beast does: what two
// programs read in two ways lets one request hide in another (RFC 9112, 11.2). How responses are
// written.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "server/net/http/http_message.h"
#include "server/net/transport.h"

namespace tesela::net {

using HeadParser = http::request_parser<http::empty_body>;
using BodyParser = http::request_parser<http::string_body>;

/// Reads the head of the next request, each header in one line (join_lines). What follows it stays
/// in `buffer`, which may hold the beginning already. Errors: those of Beast, among them
/// bad_obs_fold for FoldFinder's, and those of the connection.
boost::asio::awaitable<boost::beast::error_code> read_head(Transport& stream,
                                                           boost::beast::flat_buffer& buffer,
                                                           HeadParser& head);
/// Reads its body. Errors: likewise; bad_chunk_extension when chunks have any, which mean nothing
/// here and may be endless, and unexpected_body for trailers, which Beast would put among the
/// headers that were judged before.
boost::asio::awaitable<boost::beast::error_code> read_body(Transport& stream,
                                                           boost::beast::flat_buffer& buffer,
                                                           BodyParser& whole);
/// A sentence about such an error.
[[nodiscard]] std::string what_is_wrong(boost::beast::error_code error);

/// Looks for a line of a head that goes on in the next one (obs-fold: RFC 9112, 5.2).
class FoldFinder {
 public:
  /// The next bytes of a request, from its first. False when there is one among them. What follows
  /// the head is not looked at.
  [[nodiscard]] bool take(std::string_view bytes);

 private:
  enum class At { kLine, kReturn, kLineBegin, kLastReturn, kBody };
  At at_ = At::kLine;
};

/// What is wrong with where the head says that the request ends, or whom it is for: a
/// Transfer-Encoding other than one "chunked", or in HTTP/1.0; more than one Content-Length; a
/// target that is no path. A sentence; none when all is well.
[[nodiscard]] std::optional<std::string_view> framing_fault(const RequestHead& head);

/// Whether there is exactly one Host; in HTTP/1.0, not more.
[[nodiscard]] bool names_its_host(const RequestHead& head);

/// The part after the last chunk of a body.
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

/// A piece of a body, which is not empty, as one chunk.
[[nodiscard]] std::string chunk_of(std::string_view piece);

/// Writes a head, which says how the body is framed, and the body. False when the connection has
/// failed. Both stay where they are until it returns.
boost::asio::awaitable<bool> write_response(Transport& stream, const http::response_header<>& head,
                                            std::string_view body);

}  // namespace tesela::net
