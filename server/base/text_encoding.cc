#include "server/base/text_encoding.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace tesela::base {
namespace {

/// The end of the longest valid prefix of at most `bytes_max` bytes.
std::size_t end_of_characters(std::string_view text, std::size_t bytes_max) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto character = character_at(text, at);
    if (!character || character->end > bytes_max) break;
    at = character->end;
  }
  return at;
}

}  // namespace

std::optional<Character> character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const std::size_t size = lead < 0x80   ? 1
                           : lead < 0xc2 ? 0
                           : lead < 0xe0 ? 2
                           : lead < 0xf0 ? 3
                                         : 4;
  if (size == 0 || lead > 0xf4 || at + size > text.size()) return std::nullopt;
  char32_t code = size == 1 ? lead : lead & (0x7fU >> size);
  for (std::size_t i = at + 1; i < at + size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return std::nullopt;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
    return std::nullopt;
  }
  return Character{code, at, at + size};
}

bool is_utf8(std::string_view text) {
  // Most texts are ASCII: eight bytes at a time.
  std::uint64_t bytes = 0;
  while (text.size() >= sizeof bytes) {
    std::memcpy(&bytes, text.data(), sizeof bytes);
    if ((bytes & 0x8080808080808080U) != 0) break;
    text.remove_prefix(sizeof bytes);
  }
  return end_of_characters(text, text.size()) == text.size();
}

std::string_view cut_text(std::string_view text, std::size_t bytes_max) {
  return text.substr(0, end_of_characters(text, bytes_max));
}

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

namespace {

constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

constexpr auto kIdDigits = [] {
  std::array<int, 256> digits{};
  digits.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    const char c = kAlphabet[i];
    digits[static_cast<unsigned char>(c)] = static_cast<int>(i);
    if (c >= 'a') digits[static_cast<unsigned char>(c - 'a' + 'A')] = static_cast<int>(i);
  }
  return digits;
}();

}  // namespace

std::string number_text(std::uint64_t value) {
  std::string text(kIdTextSize, '0');
  for (std::size_t i = kIdTextSize; i-- > 0; value >>= 5U) text[i] = kAlphabet[value & 31U];
  return text;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  if (text.size() != kIdTextSize) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const int digit = kIdDigits[static_cast<unsigned char>(c)];
    if (digit < 0 || value >> 59U != 0) return std::nullopt;
    value = value << 5U | static_cast<std::uint64_t>(digit);
  }
  if (value == 0 || value >> 63U != 0) return std::nullopt;
  return value;
}

}  // namespace tesela::base
