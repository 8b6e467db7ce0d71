#include "server/net/usual_frame.h"

#include <cstdint>
#include <cstring>

namespace tesela::net {
namespace {

constexpr std::size_t kShortHeadBytes = 2;
constexpr std::size_t kLengthBytes = 2;  // of a length that is not in the second byte
constexpr std::size_t kMaskingKeyBytes = 4;
constexpr unsigned kWholeText = 0x81;
constexpr unsigned kWholeBinary = 0x82;
constexpr unsigned kHasMask = 0x80;
constexpr unsigned kTwoMoreBytes = 126;
constexpr unsigned kEightMoreBytes = 127;

unsigned byte_of(char byte) {
  return static_cast<unsigned char>(byte);
}

void unmask(std::span<char> payload, const char* key) {
  std::uint64_t mask = 0;
  std::array<char, sizeof mask> twice{};
  std::memcpy(twice.data(), key, kMaskingKeyBytes);
  std::memcpy(twice.data() + kMaskingKeyBytes, key, kMaskingKeyBytes);
  std::memcpy(&mask, twice.data(), sizeof mask);
  std::size_t at = 0;
  for (; at + sizeof mask <= payload.size(); at += sizeof mask) {
    std::uint64_t word = 0;
    std::memcpy(&word, payload.data() + at, sizeof word);
    word ^= mask;
    std::memcpy(payload.data() + at, &word, sizeof word);
  }
  for (std::size_t i = 0; at < payload.size(); ++at, ++i) {
    payload[at] = static_cast<char>(byte_of(payload[at]) ^ byte_of(twice[i]));
  }
}

}  // namespace

std::optional<UsualFrame> take_usual_frame(std::span<char> bytes) {
  if (bytes.size() < kShortHeadBytes + kMaskingKeyBytes) return std::nullopt;
  if (byte_of(bytes[0]) != kWholeBinary || (byte_of(bytes[1]) & kHasMask) == 0) return std::nullopt;
  std::size_t payload = byte_of(bytes[1]) & ~kHasMask;
  std::size_t head = kShortHeadBytes + kMaskingKeyBytes;
  if (payload == kEightMoreBytes) return std::nullopt;
  if (payload == kTwoMoreBytes) {
    payload = std::size_t{byte_of(bytes[2])} << 8U | byte_of(bytes[3]);
    if (payload < kTwoMoreBytes) return std::nullopt;  // fits in the second byte: not allowed
    head += kLengthBytes;
  }
  if (bytes.size() < head + payload) return std::nullopt;
  const std::span<char> content = bytes.subspan(head, payload);
  unmask(content, bytes.data() + head - kMaskingKeyBytes);
  return UsualFrame{.payload = {content.data(), content.size()}, .size = head + payload};
}

FrameHead::FrameHead(bool binary, std::size_t payload) {
  bytes_[0] = static_cast<char>(binary ? kWholeBinary : kWholeText);
  if (payload < kTwoMoreBytes) {
    bytes_[1] = static_cast<char>(payload);
    return;
  }
  bytes_[1] = static_cast<char>(kTwoMoreBytes);
  bytes_[2] = static_cast<char>(payload >> 8U);
  bytes_[3] = static_cast<char>(payload);
  size_ += kLengthBytes;
}

}  // namespace tesela::net
