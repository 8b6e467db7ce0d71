#include "server/base/utf8.h"

#include <array>

namespace tesela::base {
namespace {

/// Where the characters end that fit into `bytes_max`, or the first broken one begins.
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
  return end_of_characters(text, text.size()) == text.size();
}

std::string_view cut_text(std::string_view text, std::size_t bytes_max) {
  return text.substr(0, end_of_characters(text, bytes_max));
}

}  // namespace tesela::base
