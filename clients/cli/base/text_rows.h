// UTF-8 text in rows of a given width: columns of a terminal, at least 2.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::cli {

/// The columns that `text` takes.
[[nodiscard]] std::size_t columns_in(std::string_view text);

/// As many whole glyphs from the beginning as fit into `width`.
[[nodiscard]] std::string cut(std::string_view text, std::size_t width);

/// Broken into rows at spaces, and within words longer than a row. At least one row.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Rows of items with blanks between them; items are not broken.
[[nodiscard]] std::vector<std::string> flowed(const std::vector<std::string>& items,
                                              std::size_t width);

}  // namespace tesela::cli
