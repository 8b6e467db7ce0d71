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

/// What Asio calls an AsyncReadStream and an AsyncWriteStream. One thread.
class Wire {
 public:
  using executor_type = Executor;

  explicit Wire(Socket socket) : plain_(std::move(socket)) {}

  executor_type get_executor() { return socket().get_executor(); }
  void close();

  /// Makes the connection secret, and sure that the certificate is one of `host` that this machine
  /// trusts (SSL_CERT_FILE names a file of more issuers). Once, first of all. Empty when it is;
  /// else what is wrong.
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

  // What Beast's WebSocket asks of what is below it.
  friend void beast_close_socket(Wire& wire) { wire.close(); }
  template <class Handler>
  friend void async_teardown(boost::beast::role_type role, Wire& wire, Handler&& handler) {
    using boost::beast::websocket::async_teardown;
    async_teardown(role, wire.socket(), std::forward<Handler>(handler));
  }

 private:
  [[nodiscard]] Socket& socket() { return tls_ ? tls_->next_layer() : plain_; }

  Socket plain_;  // closed under TLS
  std::unique_ptr<boost::asio::ssl::stream<Socket>> tls_;
};

}  // namespace tesela::cli
