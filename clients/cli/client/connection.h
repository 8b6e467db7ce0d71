// A connection to a server, plain or under TLS.
#pragma once

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/client/task.h"

namespace tesela::cli {

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;
using HttpResponse = boost::beast::http::response<boost::beast::http::string_body>;

/// An AsyncReadStream and AsyncWriteStream of Asio. One thread.
class Connection {
 public:
  using executor_type = Executor;

  explicit Connection(Socket socket) : plain_(std::move(socket)) {}

  executor_type get_executor() { return socket().get_executor(); }
  void close();

  /// Starts TLS, and checks that the certificate is trusted and is for `host` (SSL_CERT_FILE names
  /// a file with more issuers). Called at most once, before any other operation. Gives an empty
  /// text, or what is wrong.
  Task<std::string> secure(std::string host);

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, Result>(
        [this](auto handler, const Buffers& into) {
          if (!tls_) return plain_.async_read_some(into, std::move(handler));
          read_encrypted(list<boost::asio::mutable_buffer>(into), erase(std::move(handler)));
        },
        token, buffers);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, Result>(
        [this](auto handler, const Buffers& from) {
          if (!tls_) return plain_.async_write_some(from, std::move(handler));
          write_encrypted(list<boost::asio::const_buffer>(from), erase(std::move(handler)));
        },
        token, buffers);
  }

  // Beast's WebSocket needs these of the layer below it.
  friend void beast_close_socket(Connection& connection) { connection.close(); }
  template <class Handler>
  friend void async_teardown(boost::beast::role_type role, Connection& connection,
                             Handler&& handler) {
    using boost::beast::websocket::async_teardown;
    async_teardown(role, connection.socket(), std::forward<Handler>(handler));
  }

 private:
  using Result = void(boost::system::error_code, std::size_t);
  /// A handler of any type, and what cancels it: TLS is compiled once for all.
  struct Handler {
    std::move_only_function<Result> call;
    boost::asio::cancellation_slot cancelled;
  };
  template <class Any>
  static Handler erase(Any handler) {
    const auto cancelled = boost::asio::get_associated_cancellation_slot(handler);
    return {std::move(handler), cancelled};
  }
  template <class Buffer, class Buffers>
  static std::vector<Buffer> list(const Buffers& buffers) {
    std::vector<Buffer> all;
    for (const Buffer buffer : boost::beast::buffers_range_ref(buffers)) all.push_back(buffer);
    return all;
  }
  void read_encrypted(std::vector<boost::asio::mutable_buffer> into, Handler handler);
  void write_encrypted(std::vector<boost::asio::const_buffer> from, Handler handler);

  [[nodiscard]] Socket& socket() { return tls_ ? tls_->next_layer() : plain_; }

  Socket plain_;  // moved from when TLS has started
  std::unique_ptr<boost::asio::ssl::stream<Socket>> tls_;
};

/// Sends a request and reads its response; `buffer` keeps later bytes.
Task<std::expected<HttpResponse, boost::system::error_code>> exchange(
    Connection& connection, boost::beast::flat_buffer& buffer, HttpRequest request);

}  // namespace tesela::cli
