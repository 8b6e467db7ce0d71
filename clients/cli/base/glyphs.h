// What text takes on a terminal, by Unicode's properties.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tesela::cli {

/// A grapheme cluster, which a reader sees as one character.
struct Glyph {
  std::string_view text;  // UTF-8
  std::size_t columns{};  // on a terminal
  bool is_pictograph{};   // a terminal shows its first character alone
};

/// The clusters of UTF-8, which together are `text`.
[[nodiscard]] std::vector<Glyph> glyphs_of(std::string_view text);

/// The columns of a character: 0 (it is put upon the one before), 1 or 2.
[[nodiscard]] std::size_t columns_of(char32_t character);

}  // namespace tesela::cli
