// Columns of text that stand below each other.
#pragma once

#include <string>
#include <vector>

namespace tesela::cli {

/// A line for each row, with a line break; every column as wide as the widest text in it, two
/// blanks between columns, and none at the end of a line. A row may be shorter than others.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace tesela::cli
