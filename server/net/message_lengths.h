// How long the messages are that a client of a WebSocket announces (RFC 6455, 5.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tesela::net {

/// Follows the heads of the frames from a client, in whatever pieces they come. What else is in
/// them is Beast's to judge.
class MessageLengths {
 public:
  /// The next bytes. False when a message of more than limits::kFrameBytesMax has been announced,
  /// all its fragments together: whether the bytes of it ever come or not. What follows then is not
  /// looked at.
  [[nodiscard]] bool take(std::string_view bytes);

 private:
  static constexpr std::size_t kHeadBytesMax = 14;

  [[nodiscard]] std::size_t head_bytes() const;
  [[nodiscard]] std::uint64_t payload_bytes() const;

  std::array<unsigned char, kHeadBytesMax> head_{};
  std::size_t head_size_ = 0;       // what has come of it
  std::uint64_t payload_left_ = 0;  // of the frame that has begun
  std::uint64_t message_ = 0;       // bytes of the message that has begun, in its frames so far
  bool too_large_ = false;
};

}  // namespace tesela::net
