// Counts and checks the input of a gRPC client before gRPC's library reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>

#include "server/quota/host_names.h"
#include "server/rpc/grpc/http2_frames.h"
#include "server/rpc/grpc/http2_headers.h"

namespace tesela::rpc {

/// The first bytes of every client of HTTP/2 (RFC 9113, 3.4).
inline constexpr std::string_view kHttp2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Follows the frames of one connection in both directions, in whatever pieces they come. Blocks of
/// headers are decoded, judged and encoded anew (HeaderReader), padding and priorities left out.
/// The rest is passed on as it came: whether it makes sense is the library's to judge.
class Http2Meter {
 public:
  struct Cost {
    /// 1 for each frame that begins, 1 for each KiB that it will have, and limits::kGrpcCallCost
    /// for one that opens a call.
    std::size_t frames = 0;
    /// Calls of methods that count no requests themselves: those of gRPC's own services, and of
    /// methods that do not exist. Each message of a stream of theirs is one more.
    std::size_t requests = 0;
  };

  /// `hosts`, which outlives it: calls of others than it admits are refused. Null: none are.
  explicit Http2Meter(const quota::HostNames* hosts = nullptr) : hosts_(hosts) {}

  /// Counts the next bytes from the client, which follow the preface, and appends to `passed` what
  /// gRPC may read of them. A fault ends the connection: nothing more may be read.
  [[nodiscard]] std::expected<Cost, Http2Fault> read(std::string_view bytes, std::string& passed);

  /// Follows what gRPC has sent to the client.
  void answered(std::string_view bytes);

  /// Calls that are open: begun by the client, and ended by neither side.
  [[nodiscard]] std::size_t calls() const { return calls_.size(); }
  /// Bytes of messages that have begun in these and not ended, which gRPC has to keep.
  [[nodiscard]] std::size_t unfinished_bytes() const { return unfinished_bytes_; }
  /// Whether the answered bytes end with a frame, so that another may follow.
  [[nodiscard]] bool may_add_frame() const { return from_server_.is_between_frames(); }
  /// A GOAWAY that says why the connection ends (RFC 9113, 6.8).
  [[nodiscard]] std::string goaway(const Http2Fault& fault) const;

 private:
  // One that is open. Messages have a head of 5 bytes, the last 4 of them their length.
  struct Call {
    bool counts_requests = false;  // as Cost::requests
    std::size_t head_size = 0;     // of the head of a message, what has come
    std::uint32_t left = 0;        // of the message; while its head comes, of what is known of it
    std::size_t unfinished = 0;    // bytes of the message that have come
  };
  enum class Treatment : std::uint8_t { kPass, kHold, kDrop };

  std::expected<void, Http2Fault> begin_frame(Cost& cost);
  std::expected<void, Http2Fault> begin_headers();
  std::expected<void, Http2Fault> begin_data(Cost& cost);
  std::expected<void, Http2Fault> end_frame(Cost& cost, std::string& passed);
  std::expected<void, Http2Fault> end_block(Cost& cost, std::string& passed);
  [[nodiscard]] bool strip_frame();
  void follow_message(Call& call, std::string_view payload);
  void end_call(std::uint32_t stream);

  const quota::HostNames* hosts_;
  FrameCutter from_client_;
  FrameCutter from_server_;
  HeaderReader headers_;
  Treatment treatment_ = Treatment::kPass;  // of the frame that has begun
  std::string held_;                        // the payload of a HEADERS or CONTINUATION
  std::string block_;                       // the block of headers that has begun
  std::size_t block_size_ = 0;              // as it was sent, with the heads of its frames
  bool block_open_ = false;                 // another CONTINUATION follows
  FrameHead opener_;                        // its HEADERS
  std::uint32_t last_stream_ = 0;
  std::map<std::uint32_t, Call> calls_;  // by their streams
  std::size_t unfinished_bytes_ = 0;
};

}  // namespace tesela::rpc
