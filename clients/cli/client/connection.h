// A connection to a server, plain or under TLS.
#pragma once

#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <memory>
#include <string>
#include <utility>

#include "clients/cli/client/task.h"

namespace tesela::cli {

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
    if (tls_) return tls_->async_read_some(buffers, std::forward<Token>(token));
    return plain_.async_read_some(buffers, std::forward<Token>(token));
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    if (tls_) return tls_->async_write_some(buffers, std::forward<Token>(token));
    return plain_.async_write_some(buffers, std::forward<Token>(token));
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
  [[nodiscard]] Socket& socket() { return tls_ ? tls_->next_layer() : plain_; }

  Socket plain_;  // moved from when TLS has started
  std::unique_ptr<boost::asio::ssl::stream<Socket>> tls_;
};

}  // namespace tesela::cli
