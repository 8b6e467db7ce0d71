// A server that is played by a test.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "clients/cli/client/connect.h"
#include "clients/cli/client/task.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// The server's end of one connection.
class Peer {
 public:
  explicit Peer(Socket socket) : stream_(std::move(socket)) { stream_.binary(true); }

  Task<void> upgrade() { co_await stream_.async_accept(kResult); }
  Task<play::v1::ClientFrame> hear() {
    boost::beast::flat_buffer buffer;
    const auto [error, size] = co_await stream_.async_read(buffer, kResult);
    play::v1::ClientFrame frame;
    EXPECT_FALSE(error) << error.message();
    EXPECT_TRUE(frame.ParseFromArray(buffer.data().data(), static_cast<int>(size)));
    co_return frame;
  }
  Task<void> say(play::v1::ServerFrame frame) {
    const std::string bytes = frame.SerializeAsString();
    co_await stream_.async_write(boost::asio::buffer(bytes), kResult);
  }
  void hang_up() { boost::beast::get_lowest_layer(stream_).close(); }

 private:
  WebSocket stream_;
};

/// `epoch` 0: of a server that does not tell it.
inline play::v1::ServerFrame welcome(std::uint64_t version, bool resumed, std::uint64_t epoch = 0) {
  play::v1::ServerFrame frame;
  frame.mutable_welcome()->set_epoch(epoch);
  frame.mutable_welcome()->set_version(version);
  frame.mutable_welcome()->set_resumed(resumed);
  return frame;
}

inline play::v1::ServerFrame snapshot(std::uint64_t version) {
  play::v1::ServerFrame frame;
  frame.mutable_snapshot()->set_version(version);
  return frame;
}

inline play::v1::ServerFrame event(std::uint64_t version, const std::string& move_id = "") {
  play::v1::ServerFrame frame;
  frame.mutable_event()->set_version(version);
  frame.mutable_event()->set_move_id(move_id);
  return frame;
}

inline play::v1::ServerFrame refusal(const std::string& move_id, play::v1::Reason reason) {
  play::v1::ServerFrame frame;
  frame.mutable_refusal()->set_move_id(move_id);
  frame.mutable_refusal()->set_reason(reason);
  return frame;
}

inline play::v1::ServerFrame goodbye(bool reconnect, std::uint32_t after_ms) {
  play::v1::ServerFrame frame;
  frame.mutable_goodbye()->set_message("Until then.");
  frame.mutable_goodbye()->set_reconnect(reconnect);
  frame.mutable_goodbye()->set_reconnect_after_ms(after_ms);
  return frame;
}

}  // namespace tesela::cli
