// UTF-8 (RFC 3629).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tesela::base {

/// A character of a text.
struct Character {
  char32_t code;
  std::size_t begin;  // in bytes
  std::size_t end;
};

/// The character that begins at byte `at`, which the text has; nothing where UTF-8 is broken.
[[nodiscard]] std::optional<Character> character_at(std::string_view text, std::size_t at);

[[nodiscard]] bool is_utf8(std::string_view text);

/// As many whole characters from the beginning as fit into `bytes_max`; of a text that is not
/// UTF-8, those before the first broken one.
[[nodiscard]] std::string_view cut_text(std::string_view text, std::size_t bytes_max);

}  // namespace tesela::base
