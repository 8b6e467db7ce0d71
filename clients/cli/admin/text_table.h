// Rows of text in columns.
#pragma once

#include <string>
#include <vector>

#include "clients/cli/base/printed.h"

namespace tesela::cli {

using Rows = std::vector<std::vector<std::string>>;

/// A line for each row, with a line break; every column as wide as the widest text in it, two
/// blanks between columns, and none at the end of a line. A row may be shorter than others.
[[nodiscard]] Printed text_table(Rows rows);

}  // namespace tesela::cli
