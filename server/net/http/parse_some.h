// Reads messages of HTTP/1 as Beast does, from whatever has Transport's read_some.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/read_size.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cstddef>

namespace tesela::net {

/// Gives the parser what the buffer holds, and what is read, until the parser needs no more to go
/// on. As boost::beast::http::async_read_some, with its errors, but a coroutine: what Asio makes of
/// a read is compiled once for all parsers.
template <class Stream, bool kRequest>
boost::asio::awaitable<boost::beast::error_code> parse_some(
    Stream& stream, boost::beast::flat_buffer& buffer,
    boost::beast::http::basic_parser<kRequest>& parser) {
  namespace http = boost::beast::http;
  constexpr std::size_t kReadMax = 65536;
  boost::beast::error_code error = http::error::need_more;
  if (buffer.size() > 0) buffer.consume(parser.put(buffer.data(), error));
  while (error == http::error::need_more) {
    const std::size_t room = boost::beast::read_size(buffer, kReadMax);
    if (room == 0) co_return http::error::buffer_overflow;
    const auto [failure, size] = co_await stream.read_some(buffer.prepare(room));
    buffer.commit(size);
    if (failure == boost::asio::error::eof) {
      if (!parser.got_some()) co_return http::error::end_of_stream;
      error = {};
      parser.put_eof(error);
      co_return error;
    }
    if (failure) co_return failure;
    buffer.consume(parser.put(buffer.data(), error));
  }
  co_return error;
}

/// Until the parser has the whole message: boost::beast::http::async_read.
template <class Stream, bool kRequest>
boost::asio::awaitable<boost::beast::error_code> parse_all(
    Stream& stream, boost::beast::flat_buffer& buffer,
    boost::beast::http::basic_parser<kRequest>& parser) {
  parser.eager(true);
  boost::beast::error_code error;
  while (!error && !parser.is_done()) error = co_await parse_some(stream, buffer, parser);
  co_return error;
}

}  // namespace tesela::net
