#include "clients/cli/admin/text_table.h"

#include <algorithm>
#include <cstddef>

#include "clients/cli/base/text_rows.h"

namespace tesela::cli {
namespace {

constexpr std::size_t kBetween = 2;

std::vector<std::size_t> widths_of(const Rows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], columns_in(row[column]));
    }
  }
  return widths;
}

}  // namespace

Printed text_table(Rows rows) {
  for (auto& row : rows) std::ranges::transform(row, row.begin(), base::printable);
  const auto widths = widths_of(rows);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += row[column];
      line.append(widths[column] - columns_in(row[column]) + kBetween, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return Printed::lines(text);
}

}  // namespace tesela::cli
