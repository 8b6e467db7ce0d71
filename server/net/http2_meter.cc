#include "server/net/http2_meter.h"

#include <algorithm>

#include "server/net/limits.h"

namespace tesela::net {
namespace {

constexpr unsigned char kHeaders = 1;
constexpr unsigned char kContinuation = 9;
constexpr unsigned char kEndHeaders = 4;
constexpr std::size_t kBytesOfCost = 1024;

}  // namespace

std::optional<std::size_t> Http2Meter::count(std::string_view bytes) {
  std::size_t cost = 0;
  while (!bytes.empty()) {
    const std::size_t skipped = std::min(bytes.size(), payload_left_);
    payload_left_ -= skipped;
    bytes.remove_prefix(skipped);
    const std::size_t size = std::min(bytes.size(), kHeadBytes - head_size_);
    std::copy_n(bytes.begin(), size, head_.begin() + static_cast<std::ptrdiff_t>(head_size_));
    head_size_ += size;
    bytes.remove_prefix(size);
    if (head_size_ < kHeadBytes) break;
    head_size_ = 0;
    const auto frame = begin_frame();
    if (!frame) return std::nullopt;
    cost += *frame;
  }
  return cost;
}

std::optional<std::size_t> Http2Meter::begin_frame() {
  payload_left_ = std::size_t{head_[0]} << 16U | std::size_t{head_[1]} << 8U | head_[2];
  type_ = head_[3];
  std::size_t cost = 1 + payload_left_ / kBytesOfCost;
  if (type_ == kHeaders) {
    block_size_ = 0;
    cost += limits::kGrpcCallCost - 1;
  }
  if (type_ == kHeaders || type_ == kContinuation) {
    block_open_ = (head_[4] & kEndHeaders) == 0;
    // With its head: empty ones could go on for ever.
    block_size_ += kHeadBytes + payload_left_;
    if (block_size_ > limits::kGrpcHeaderBytesMax) return std::nullopt;
  }
  return cost;
}

bool Http2Meter::in_headers() const {
  const bool in_frame = payload_left_ > 0 && (type_ == kHeaders || type_ == kContinuation);
  return block_open_ || in_frame;
}

}  // namespace tesela::net
