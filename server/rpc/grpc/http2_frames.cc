#include "server/rpc/grpc/http2_frames.h"

#include <algorithm>

#include "server/base/bytes.h"

namespace tesela::rpc {
namespace {

constexpr std::uint32_t kStreamBits = 0x7fff'ffff;

}  // namespace

std::string FrameHead::bytes() const {
  return base::big_endian(static_cast<std::uint32_t>(size)).substr(1) + static_cast<char>(type) +
         static_cast<char>(flags) + base::big_endian(stream);
}

std::optional<FrameCutter::Piece> FrameCutter::next(std::string_view& bytes) {
  if (left_ > 0) {
    if (bytes.empty()) return std::nullopt;
    const std::string_view payload = bytes.substr(0, left_);
    bytes.remove_prefix(payload.size());
    left_ -= payload.size();
    return Piece{.begins = false, .payload = payload, .ends = left_ == 0};
  }
  const std::size_t size = std::min(bytes.size(), FrameHead::kBytes - size_);
  std::copy_n(bytes.begin(), size, bytes_.begin() + static_cast<std::ptrdiff_t>(size_));
  size_ += size;
  bytes.remove_prefix(size);
  if (size_ < FrameHead::kBytes) return std::nullopt;
  size_ = 0;
  const auto at = [this](std::size_t index) { return std::uint32_t{bytes_[index]}; };
  head_ = {.size = at(0) << 16U | at(1) << 8U | at(2),
           .type = static_cast<FrameType>(bytes_[3]),
           .flags = bytes_[4],
           .stream = (at(5) << 24U | at(6) << 16U | at(7) << 8U | at(8)) & kStreamBits};
  left_ = head_.size;
  return Piece{.begins = true, .payload = {}, .ends = left_ == 0};
}

}  // namespace tesela::rpc
