#include "clients/cli/base/text_rows.h"

#include "clients/cli/base/glyphs.h"

namespace tesela::cli {
namespace {

constexpr std::string_view kGap = "   ";

/// How many bytes of whole glyphs fit into `width` columns, but at least one glyph.
std::size_t bytes_of(std::string_view text, std::size_t width) {
  std::size_t size = 0;
  std::size_t columns = 0;
  for (const Glyph& glyph : glyphs_of(text)) {
    columns += glyph.columns;
    if (columns > width && size > 0) break;
    size += glyph.text.size();
  }
  return size;
}

}  // namespace

std::size_t columns_in(std::string_view text) {
  std::size_t columns = 0;
  for (const Glyph& glyph : glyphs_of(text)) columns += glyph.columns;
  return columns;
}

std::string cut(std::string_view text, std::size_t width) {
  return std::string{
      text.substr(0, columns_in(text) <= width ? text.size() : bytes_of(text, width))};
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> rows;
  while (columns_in(text) > width) {
    const std::size_t room = bytes_of(text, width);
    const std::size_t space = text.substr(0, room + 1).rfind(' ');
    const bool broken = space == std::string_view::npos || space == 0;
    rows.emplace_back(text.substr(0, broken ? room : space));
    text.remove_prefix(broken ? room : space + 1);
  }
  rows.emplace_back(text);
  return rows;
}

std::vector<std::string> flowed(const std::vector<std::string>& items, std::size_t width) {
  std::vector<std::string> rows;
  for (const std::string& item : items) {
    if (!rows.empty() && columns_in(rows.back()) + kGap.size() + columns_in(item) <= width) {
      rows.back().append(kGap).append(item);
    } else {
      rows.push_back(item);
    }
  }
  return rows;
}

}  // namespace tesela::cli
