// A plain HTTP client over a real socket: bytes as they are given, and Beast for what comes back.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tesela::net {

namespace http = boost::beast::http;

/// Throws when the server does not do within five seconds what is waited for.
class HttpClient {
 public:
  using Reply = http::response<http::string_body>;
  using Headers = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  explicit HttpClient(std::uint16_t port);

  void send(std::string_view bytes);
  /// The next response. The one to a HEAD has no body.
  Reply read(http::verb answered = http::verb::get);
  Reply get(std::string_view target, Headers headers = {});
  Reply post(std::string_view target, std::string_view content_type, std::string_view body,
             Headers headers = {});
  Reply ask(http::verb verb, std::string_view target, Headers headers, std::string_view body = {});

  /// The head of a response, and then the bytes of its body as they come, at least `size` of them.
  Reply read_head();
  std::string read_body(std::size_t size);

  /// Waits until the server has closed the connection.
  void wait_for_end();
  /// Whether nothing comes for a while and the connection stays.
  bool is_quiet();
  void hang_up();

 private:
  void run();

  boost::asio::io_context context_;
  boost::beast::tcp_stream stream_{context_};
  boost::beast::flat_buffer buffer_;
  std::string body_;
  boost::beast::error_code error_;
};

}  // namespace tesela::net
