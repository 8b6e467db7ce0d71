// UTF-8 text in rows of a given width (at least 1), one character per cell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::cli {

/// The number of characters of `text`.
[[nodiscard]] std::size_t glyphs_in(std::string_view text);

/// The first `width` characters.
[[nodiscard]] std::string cut(std::string_view text, std::size_t width);

/// Broken into rows at spaces, and within words longer than a row. At least one row.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Rows of items with blanks between them; items are not broken.
[[nodiscard]] std::vector<std::string> flowed(const std::vector<std::string>& items,
                                              std::size_t width);

}  // namespace tesela::cli
