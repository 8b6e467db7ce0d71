#include "clients/cli/screen/canvas.h"

#include <algorithm>

namespace tesela::cli {
namespace {

constexpr char32_t kUnreadable = U'?';

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// How many bytes a character has after its first.
std::size_t more_after(unsigned char first) {
  if (first < 0xC0U) return 0;
  return first < 0xE0U ? 1 : first < 0xF0U ? 2 : 3;
}

/// Takes a character from the front of `text`, which is not empty.
char32_t take_glyph(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t more = more_after(first);
  char32_t glyph = more == 0 ? first : first & (0x3FU >> more);
  std::size_t size = 1;
  for (; size <= more && size < text.size() && continues(text[size]); ++size) {
    glyph = (glyph << 6U) | (static_cast<unsigned char>(text[size]) & 0x3FU);
  }
  text.remove_prefix(size);
  const bool broken = size != more + 1 || (more == 0 && first >= 0x80U);
  return broken ? kUnreadable : glyph;
}

}  // namespace

void append_glyph(std::string& text, char32_t glyph) {
  const auto last = [glyph](unsigned shift) {
    return static_cast<char>(0x80U | ((glyph >> shift) & 0x3FU));
  };
  if (glyph < 0x80U) {
    text += static_cast<char>(glyph);
  } else if (glyph < 0x800U) {
    text += static_cast<char>(0xC0U | (glyph >> 6U));
    text += last(0);
  } else if (glyph < 0x10000U) {
    text += static_cast<char>(0xE0U | (glyph >> 12U));
    text += {last(6), last(0)};
  } else {
    text += static_cast<char>(0xF0U | (glyph >> 18U));
    text += {last(12), last(6), last(0)};
  }
}

Canvas::Canvas(int rows, int columns)
    : rows_(std::max(rows, 0)), columns_(std::max(columns, 0)), cells_(index(rows_, 0)) {}

void Canvas::put(int row, int column, std::string_view text, Style style) {
  while (!text.empty()) put(row, column++, take_glyph(text), style);
}

void Canvas::put(int row, int column, char32_t glyph, Style style) {
  if (row < 0 || row >= rows_ || column < 0 || column >= columns_) return;
  cells_[index(row, column)] = {.glyph = glyph, .style = style};
}

void Canvas::fill(int row, int column, int height, int width, char32_t glyph, Style style) {
  for (int y = row; y < row + height; ++y) {
    for (int x = column; x < column + width; ++x) put(y, x, glyph, style);
  }
}

std::string Canvas::text() const {
  std::string text;
  for (int row = 0; row < rows_; ++row) {
    std::string line;
    for (int column = 0; column < columns_; ++column) append_glyph(line, at(row, column).glyph);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  const std::size_t end = text.find_last_not_of('\n');
  text.erase(end == std::string::npos ? 0 : end + 2);
  return text;
}

}  // namespace tesela::cli
