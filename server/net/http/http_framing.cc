#include "server/net/http/http_framing.h"

#include <fmt/format.h>

#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/fields.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "server/base/limits.h"
#include "server/net/http/header_values.h"
#include "server/net/http/parse_some.h"

namespace tesela::net {
namespace {

namespace beast = boost::beast;
using boost::asio::awaitable;

std::string_view unread(const beast::flat_buffer& buffer) {
  return {static_cast<const char*>(buffer.data().data()), buffer.size()};
}

void refuse_extensions(std::uint64_t /*size*/, beast::string_view extensions,
                       beast::error_code& error) {
  if (!extensions.empty()) error = http::error::bad_chunk_extension;
}

std::ptrdiff_t fields_of(const RequestHead& head) {
  return std::distance(head.begin(), head.end());
}

}  // namespace

// Beast's own way to read a head unfolds its lines without a word.
awaitable<beast::error_code> read_head(Transport& stream, beast::flat_buffer& buffer,
                                       HeadParser& head) {
  FoldFinder folds;
  std::size_t looked_at = 0;
  for (;;) {
    if (!folds.take(unread(buffer).substr(looked_at))) co_return http::error::bad_obs_fold;
    beast::error_code error;
    buffer.consume(head.put(buffer.data(), error));
    if (!error) join_lines(head.get());
    if (error != http::error::need_more) co_return error;
    looked_at = buffer.size();
    const auto [failure, size] =
        co_await stream.read_some(buffer.prepare(limits::kHttpHeaderBytesMax));
    buffer.commit(size);
    if (failure) co_return failure;
  }
}

awaitable<beast::error_code> read_body(Transport& stream, beast::flat_buffer& buffer,
                                       BodyParser& whole) {
  const std::ptrdiff_t fields = fields_of(whole.get());
  auto on_chunk = refuse_extensions;
  whole.on_chunk_header(on_chunk);
  const beast::error_code error = co_await parse_all(stream, buffer, whole);
  if (!error && fields_of(whole.get()) != fields) co_return http::error::unexpected_body;
  co_return error;
}

std::string what_is_wrong(beast::error_code error) {
  if (error == http::error::header_limit) {
    return "The headers are too large; at most " + std::to_string(limits::kHttpHeaderBytesMax) +
           " bytes are read.";
  }
  if (error == http::error::body_limit) {
    return "The body is too large; at most " + std::to_string(limits::kHttpBodyBytesMax) +
           " bytes are read.";
  }
  if (error == http::error::bad_obs_fold) return "A header may not go on in the next line.";
  if (error == http::error::bad_chunk_extension) {
    return "The chunks of a body may have no extensions.";
  }
  if (error == http::error::unexpected_body) return "A request may have no trailers.";
  return "The request is not valid HTTP: " + error.message() + ".";
}

bool FoldFinder::take(std::string_view bytes) {
  for (const char c : bytes) {
    switch (at_) {
      case At::kLine:
        if (c == '\r') at_ = At::kReturn;
        break;
      case At::kReturn:
        at_ = c == '\n' ? At::kLineBegin : At::kLine;
        break;
      case At::kLineBegin:
        if (c == ' ' || c == '\t') return false;
        at_ = c == '\r' ? At::kLastReturn : At::kLine;
        break;
      case At::kLastReturn:
        at_ = c == '\n' ? At::kBody : At::kLine;
        break;
      case At::kBody:
        return true;
    }
  }
  return true;
}

std::optional<std::string_view> framing_fault(const RequestHead& head) {
  const bool http_1_0 = head.version() < 11;
  if (const auto codings = head.count(http::field::transfer_encoding); codings > 0) {
    if (http_1_0) return "HTTP/1.0 has no Transfer-Encoding; send a Content-Length.";
    if (codings > 1 || !boost::beast::iequals(head[http::field::transfer_encoding], "chunked")) {
      return "The only Transfer-Encoding that is understood is chunked.";
    }
    if (head.count(http::field::content_length) > 0) {
      return "A request has a Content-Length or a Transfer-Encoding, not both.";
    }
  }
  if (head.count(http::field::content_length) > 1 ||
      head[http::field::content_length].find(',') != std::string_view::npos) {
    return "The request has more than one Content-Length.";
  }
  const bool of_server = head.method() == http::verb::options && head.target() == "*";
  if (!head.target().starts_with('/') && !of_server) {
    return "The target of a request is a path, which begins with /.";
  }
  return std::nullopt;
}

bool names_its_host(const RequestHead& head) {
  const auto hosts = head.count(http::field::host);
  return hosts == 1 || (hosts == 0 && head.version() < 11);
}

std::string chunk_of(std::string_view piece) {
  return fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
}

boost::asio::awaitable<bool> write_response(Transport& stream, const http::response_header<>& head,
                                            std::string_view body) {
  const std::string text = boost::beast::buffers_to_string(
      http::fields::writer{head, head.version(), head.result_int()}.get());
  const auto [error, size] = co_await stream.write(text, body);
  co_return !error;
}

}  // namespace tesela::net
