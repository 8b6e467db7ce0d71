#include "server/net/message_lengths.h"

#include <algorithm>

#include "server/base/limits.h"

namespace tesela::net {
namespace {

constexpr std::size_t kShortHead = 2;
constexpr std::size_t kMaskBytes = 4;
constexpr unsigned kMasked = 0x80;
constexpr unsigned kLengthBits = 0x7f;
constexpr unsigned kLengthIn2 = 126;
constexpr unsigned kLengthIn8 = 127;
constexpr unsigned kFinal = 0x80;
constexpr unsigned kControl = 0x08;  // among the opcodes

}  // namespace

bool MessageLengths::take(std::string_view bytes) {
  while (!too_large_ && !bytes.empty()) {
    const auto skipped =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), payload_left_));
    payload_left_ -= skipped;
    bytes.remove_prefix(skipped);
    if (bytes.empty()) break;
    head_[head_size_++] = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (head_size_ < head_bytes()) continue;
    head_size_ = 0;
    payload_left_ = payload_bytes();
    if ((head_[0] & kControl) != 0) continue;
    // Neither can be more than the limit before the other is added.
    too_large_ =
        payload_left_ > limits::kFrameBytesMax || message_ + payload_left_ > limits::kFrameBytesMax;
    message_ = (head_[0] & kFinal) != 0 ? 0 : message_ + payload_left_;
  }
  return !too_large_;
}

std::size_t MessageLengths::head_bytes() const {
  if (head_size_ < kShortHead) return kShortHead;
  const unsigned length = head_[1] & kLengthBits;
  const std::size_t more = length == kLengthIn8 ? 8 : length == kLengthIn2 ? 2 : 0;
  return kShortHead + more + ((head_[1] & kMasked) != 0 ? kMaskBytes : 0);
}

std::uint64_t MessageLengths::payload_bytes() const {
  const unsigned length = head_[1] & kLengthBits;
  if (length < kLengthIn2) return length;
  const std::size_t size = length == kLengthIn8 ? 8 : 2;
  std::uint64_t payload = 0;
  for (std::size_t i = 0; i < size; ++i) payload = payload << 8U | head_[kShortHead + i];
  return payload;
}

}  // namespace tesela::net
