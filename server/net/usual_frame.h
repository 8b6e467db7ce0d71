// WebSocket frames (RFC 6455, 5.2) as most are: a small binary message, whole.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace tesela::net {

/// A client's frame that is a whole binary message.
struct UsualFrame {
  std::string_view payload;  // unmasked
  std::size_t size{};        // of the frame
};

/// The frame at the beginning of `bytes`, whose payload is unmasked there. Empty, without effect,
/// if the frame is another one, not whole or not allowed: Beast reads that.
[[nodiscard]] std::optional<UsualFrame> take_usual_frame(std::span<char> bytes);

/// The beginning of a server's frame that is a whole message.
class FrameHead {
 public:
  static constexpr std::size_t kPayloadMax = 0xffff;

  /// For a payload of so many bytes, at most kPayloadMax.
  FrameHead(bool binary, std::size_t payload);
  [[nodiscard]] std::string_view bytes() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, 4> bytes_{};
  std::size_t size_{2};
};

}  // namespace tesela::net
