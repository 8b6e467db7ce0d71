#include "clients/cli/base/text_rows.h"

#include <algorithm>

namespace tesela::cli {
namespace {

constexpr std::string_view kGap = "   ";

bool begins_glyph(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// How many bytes the first `count` characters take.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  std::size_t size = 0;
  while (size < text.size() && (count > 0 || !begins_glyph(text[size]))) {
    if (begins_glyph(text[size])) --count;
    ++size;
  }
  return size;
}

}  // namespace

std::size_t glyphs_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_glyph));
}

std::string cut(std::string_view text, std::size_t width) {
  return std::string{text.substr(0, bytes_of(text, width))};
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> rows;
  while (glyphs_in(text) > width) {
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
    if (!rows.empty() && glyphs_in(rows.back()) + kGap.size() + glyphs_in(item) <= width) {
      rows.back().append(kGap).append(item);
    } else {
      rows.push_back(item);
    }
  }
  return rows;
}

}  // namespace tesela::cli
