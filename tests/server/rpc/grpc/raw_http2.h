// A client of the gRPC port that writes its own HTTP/2, and what it is answered.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/completion_condition.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/rpc/grpc/http2_frames.h"

namespace tesela::net {

/// Of what a server sends.
struct SentFrame {
  rpc::FrameHead head;
  std::string payload;
};

/// The frames that a server has sent.
inline std::vector<SentFrame> server_frames(std::string_view bytes) {
  std::vector<SentFrame> frames;
  rpc::FrameCutter cutter;
  while (const auto piece = cutter.next(bytes)) {
    if (piece->begins) frames.push_back({cutter.head(), ""});
    frames.back().payload += piece->payload;
  }
  return frames;
}

/// What the GOAWAY in them says; empty when there is none.
inline std::string goaway_of(std::string_view bytes) {
  constexpr std::size_t kSentenceAt = 8;
  for (const auto& [head, payload] : server_frames(bytes)) {
    if (head.type == rpc::FrameType::kGoaway) return payload.substr(kSentenceAt);
  }
  return "";
}

/// A client that writes its own HTTP/2.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port) {
    socket_.connect({boost::asio::ip::make_address("127.0.0.1"), port});
  }

  /// False when the server has ended the connection.
  bool send(const std::string& bytes) {
    boost::system::error_code error;
    boost::asio::write(socket_, boost::asio::buffer(bytes), error);
    return !error;
  }

  /// Waits for the next frame. Its type.
  rpc::FrameType next() {
    std::string bytes(rpc::FrameHead::kBytes, '\0');
    boost::asio::read(socket_, boost::asio::buffer(bytes));
    const rpc::FrameHead head = server_frames(bytes).at(0).head;
    boost::asio::read(socket_, boost::asio::dynamic_buffer(bytes),
                      boost::asio::transfer_exactly(head.size));
    return head.type;
  }

  /// All that comes until the server ends the connection.
  std::string read_to_end() {
    std::string bytes;
    boost::system::error_code error;
    boost::asio::read(socket_, boost::asio::dynamic_buffer(bytes), error);
    return bytes;
  }

 private:
  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket socket_{context_};
};

}  // namespace tesela::net
