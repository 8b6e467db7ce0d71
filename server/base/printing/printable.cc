#include "server/base/printing/printable.h"

#include <spdlog/fmt/fmt.h>

#include <cstdint>
#include <iterator>

#include "server/base/text_encoding.h"

namespace tesela::base {

bool is_control(char32_t code) {
  const auto within = [code](char32_t first, char32_t last) {
    return code >= first && code <= last;
  };
  return code < 0x20 || within(0x7f, 0x9f) || code == 0x061c || within(0x200e, 0x200f) ||
         within(0x2028, 0x202e) || within(0x2066, 0x206f);
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto character = character_at(text, at);
    const std::size_t end = character ? character->end : at + 1;
    if (character && !is_control(character->code)) {
      shown += text.substr(at, end - at);
    } else if (end == at + 1) {
      fmt::format_to(std::back_inserter(shown), "\\x{:02x}", static_cast<std::uint8_t>(text[at]));
    } else {
      fmt::format_to(std::back_inserter(shown), "\\u{{{:04x}}}",
                     static_cast<std::uint32_t>(character->code));
    }
    at = end;
  }
  return shown;
}

}  // namespace tesela::base
