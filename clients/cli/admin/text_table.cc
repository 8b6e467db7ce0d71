#include "clients/cli/admin/text_table.h"

#include <algorithm>

#include "clients/cli/base/text_rows.h"

namespace tesela::cli {
namespace {

constexpr std::size_t kBetween = 2;

std::vector<std::size_t> widths_of(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], glyphs_in(row[column]));
    }
  }
  return widths;
}

}  // namespace

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  const auto widths = widths_of(rows);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += row[column];
      line.append(widths[column] - glyphs_in(row[column]) + kBetween, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace tesela::cli
