#include "server/base/id_text.h"

#include <array>
#include <cstdint>

namespace tesela::base {
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

std::string encode(std::uint64_t value) {
  std::string text(kIdTextSize, '0');
  for (std::size_t i = kIdTextSize; i-- > 0; value >>= 5U) text[i] = kAlphabet[value & 31U];
  return text;
}

std::optional<std::uint64_t> decode(std::string_view text) {
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

}  // namespace

std::string to_text(TableId id) {
  return encode(id.value);
}
std::string to_text(PlayerId id) {
  return encode(id.value);
}

std::optional<TableId> parse_table_id(std::string_view text) {
  return decode(text).transform([](std::uint64_t value) { return TableId{value}; });
}

std::optional<PlayerId> parse_player_id(std::string_view text) {
  return decode(text).transform([](std::uint64_t value) { return PlayerId{value}; });
}

}  // namespace tesela::base
