// A program at the other end of a connection: bytes as they are given, and what comes back.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tesela::nodes {

/// The request of a stream, with fields of its own.
inline std::string stream_request(std::string_view table, std::string_view fields = {}) {
  return "GET /v1/tables/" + std::string(table) +
         "/stream HTTP/1.1\r\nHost: tesela.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         std::string(fields) + "\r\n";
}

/// The next `size` bytes of a socket, or fewer where it ends, or nothing comes for ten seconds.
inline std::string read_from(int socket, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    pollfd readable{.fd = socket, .events = POLLIN, .revents = 0};
    if (::poll(&readable, 1, 10'000) != 1) break;
    const auto more = ::recv(socket, bytes.data() + have, size - have, 0);
    if (more <= 0) break;
    have += static_cast<std::size_t>(more);
  }
  bytes.resize(have);
  return bytes;
}

/// How many of `size` bytes a socket takes until it takes nothing more for `patience_ms`.
inline std::size_t send_until_full(int socket, std::size_t size, int patience_ms) {
  const timeval patience{.tv_sec = 0, .tv_usec = patience_ms * 1000};
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const std::string piece(16 * 1024, 'x');
  std::size_t sent = 0;
  while (sent < size) {
    const auto taken =
        ::send(socket, piece.data(), std::min(piece.size(), size - sent), MSG_NOSIGNAL);
    if (taken <= 0) break;
    sent += static_cast<std::size_t>(taken);
  }
  return sent;
}

/// Blocks, and gives up after ten seconds.
class Peer {
 public:
  explicit Peer(std::uint16_t port) : socket_(context_) {
    socket_.connect({boost::asio::ip::make_address("127.0.0.1"), port});
  }

  void send(std::string_view bytes) { boost::asio::write(socket_, boost::asio::buffer(bytes)); }
  /// The next `size` bytes, or fewer at the end.
  std::string read(std::size_t size) { return read_from(socket_.native_handle(), size); }
  /// The head of an answer.
  std::string read_head() {
    std::string head;
    while (!head.ends_with("\r\n\r\n")) {
      const std::string next = read(1);
      if (next.empty()) break;
      head += next;
    }
    return head;
  }
  /// The status in the head of an answer; 0: none came.
  int status() {
    const std::string head = read_head();
    return head.size() < 12 ? 0 : std::stoi(head.substr(9, 3));
  }
  /// Everything until the other side has ended.
  std::string read_to_end() {
    std::string all;
    for (std::string some = read(1); !some.empty(); some = read(1)) all += some;
    return all;
  }
  /// Ends this direction.
  void end() { socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_send); }
  /// As the function of this name.
  std::size_t send_until_full(std::size_t size, int patience_ms) {
    return nodes::send_until_full(socket_.native_handle(), size, patience_ms);
  }

 private:
  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket socket_;
};

}  // namespace tesela::nodes
