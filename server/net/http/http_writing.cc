#include "server/net/http/http_writing.h"

#include <fmt/format.h>

#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/http/fields.hpp>

namespace tesela::net {

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
