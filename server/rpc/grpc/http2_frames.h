// The frames of HTTP/2 (RFC 9113, 4.1), cut out of a connection's bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tesela::rpc {

/// The types of frames that a client may send, or must not (RFC 9113, 6).
enum class FrameType : std::uint8_t {
  kData = 0,
  kHeaders = 1,
  kPriority = 2,
  kRstStream = 3,
  kSettings = 4,
  kPushPromise = 5,
  kPing = 6,
  kGoaway = 7,
  kWindowUpdate = 8,
  kContinuation = 9,
};

/// Flags of a frame.
inline constexpr std::uint8_t kEndStream = 0x1;
inline constexpr std::uint8_t kEndHeaders = 0x4;
inline constexpr std::uint8_t kPadded = 0x8;
inline constexpr std::uint8_t kPriorityFlag = 0x20;

/// Why a connection ends (RFC 9113, 7).
enum class Http2Error : std::uint8_t {
  kProtocolError = 1,
  kFrameSizeError = 6,
  kCompressionError = 9,
  kEnhanceYourCalm = 11,
};

struct FrameHead {
  static constexpr std::size_t kBytes = 9;

  std::size_t size = 0;  // of the payload
  FrameType type{};
  std::uint8_t flags = 0;
  std::uint32_t stream = 0;

  [[nodiscard]] bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
  [[nodiscard]] std::string bytes() const;
};

/// Cuts bytes, which come in whatever pieces, into frames.
class FrameCutter {
 public:
  struct Piece {
    bool begins;  // the frame's head has come; then there is no payload in this piece
    std::string_view payload;
    bool ends;  // the frame's last
  };

  /// The next piece, which is taken off the front of `bytes`. None when they are used up.
  [[nodiscard]] std::optional<Piece> next(std::string_view& bytes);
  /// Of the frame of the last piece.
  [[nodiscard]] const FrameHead& head() const { return head_; }
  /// Whether the received bytes end with a frame.
  [[nodiscard]] bool is_between_frames() const { return left_ == 0 && size_ == 0; }

 private:
  std::array<unsigned char, FrameHead::kBytes> bytes_{};
  std::size_t size_ = 0;  // of the head, what has come
  FrameHead head_;
  std::size_t left_ = 0;  // of the payload
};

}  // namespace tesela::rpc
