// Text in rows of a certain width, at least 1, one character a cell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::cli {

/// How many characters UTF-8 holds.
[[nodiscard]] std::size_t glyphs_in(std::string_view text);

/// The first characters, at most so many.
[[nodiscard]] std::string cut(std::string_view text, std::size_t width);

/// Broken at spaces, and a word that is longer than a row within it. At least one row.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Items with blanks between them, each whole.
[[nodiscard]] std::vector<std::string> flowed(const std::vector<std::string>& items,
                                              std::size_t width);

}  // namespace tesela::cli
