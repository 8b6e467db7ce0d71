// What a client of HTTP/2 asks of whoever reads it, told from its frames alone.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tesela::net {

/// The first bytes of every client of HTTP/2 (RFC 9113, 3.4).
inline constexpr std::string_view kHttp2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Follows the frames of one client (RFC 9113, 4.1), in whatever pieces they come. What is in them,
/// and whether they come in an order that makes sense, is the library's to judge.
class Http2Meter {
 public:
  /// Of a frame's head.
  static constexpr std::size_t kHeadBytes = 9;

  /// The cost of the next bytes, which follow the preface: 1 for each frame that begins in them, 1
  /// for each KiB that it will have, and limits::kGrpcCallCost for one that opens a call. None when
  /// a block of headers exceeds limits::kGrpcHeaderBytesMax: nobody should read these bytes, nor
  /// what follows.
  [[nodiscard]] std::optional<std::size_t> count(std::string_view bytes);

  /// Whether a block of headers has begun and not ended. It has at most
  /// limits::kGrpcHeaderBytesMax.
  [[nodiscard]] bool in_headers() const;

 private:
  std::optional<std::size_t> begin_frame();

  std::array<unsigned char, kHeadBytes> head_{};
  std::size_t head_size_ = 0;     // of it, what has come
  unsigned char type_ = 0;        // of the frame that has begun
  std::size_t payload_left_ = 0;  // of the frame that has begun
  std::size_t block_size_ = 0;    // of the headers that came last, with their CONTINUATIONs
  bool block_open_ = false;       // another CONTINUATION follows
};

}  // namespace tesela::net
