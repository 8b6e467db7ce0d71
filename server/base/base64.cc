#include "server/base/base64.h"

#include <array>
#include <cstdint>

namespace tesela::base {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::uint8_t kNoDigit = 255;

constexpr auto kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < kStandard.size(); ++i) {
    digits[static_cast<unsigned char>(kStandard[i])] = static_cast<std::uint8_t>(i);
    digits[static_cast<unsigned char>(kUrl[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}();

std::string encode(std::string_view bytes, std::string_view alphabet) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t bits = 0;
  int waiting = 0;
  for (const char c : bytes) {
    bits = bits << 8U | static_cast<unsigned char>(c);
    for (waiting += 8; waiting >= 6;) {
      waiting -= 6;
      text += alphabet[bits >> waiting & 63U];
    }
  }
  if (waiting > 0) text += alphabet[bits << (6 - waiting) & 63U];
  return text;
}

}  // namespace

std::string encode_base64(std::string_view bytes) {
  return encode(bytes, kStandard);
}

std::string encode_base64url(std::string_view bytes) {
  return encode(bytes, kUrl);
}

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 == 0 && text.ends_with("==")) {
    text.remove_suffix(2);
  } else if (text.size() % 4 == 0 && text.ends_with("=")) {
    text.remove_suffix(1);
  }
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int waiting = 0;
  for (const char c : text) {
    const std::uint8_t digit = kDigits[static_cast<unsigned char>(c)];
    if (digit == kNoDigit) return std::nullopt;
    bits = bits << 6U | digit;
    waiting += 6;
    if (waiting >= 8) {
      waiting -= 8;
      bytes += static_cast<char>(bits >> waiting & 255U);
    }
  }
  if ((bits & ((1U << waiting) - 1U)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace tesela::base
