#include "clients/cli/screen/canvas.h"

#include <algorithm>

#include "clients/cli/base/glyphs.h"
#include "server/base/printing/printable.h"

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
  return broken || base::is_control(glyph) ? kUnreadable : glyph;
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
  std::string readable;
  while (!text.empty()) append_glyph(readable, take_glyph(text));
  for (const Glyph& glyph : glyphs_of(readable)) {
    for (std::string_view left = glyph.text; !left.empty();) {
      const char32_t character = take_glyph(left);
      const std::size_t columns = columns_of(character);
      if (columns == 2) {
        put_wide(row, column, character, style);
      } else if (columns == 1) {
        put(row, column, character, style);
      } else if (const int last = column - 1; has(row, last)) {
        const bool is_covered = at(row, last).glyph == kCovered && has(row, last - 1);
        cells_[index(row, is_covered ? last - 1 : last)].marks += character;
      }
      column += static_cast<int>(columns);
      if (glyph.is_pictograph) break;
    }
  }
}

void Canvas::put(int row, int column, char32_t glyph, Style style) {
  if (!has(row, column)) return;
  Cell& cell = cells_[index(row, column)];
  if (cell.glyph == kCovered && has(row, column - 1)) cells_[index(row, column - 1)].glyph = U' ';
  const bool was_wide = has(row, column + 1) && at(row, column + 1).glyph == kCovered;
  if (was_wide && cell.glyph != kCovered) cells_[index(row, column + 1)].glyph = U' ';
  cell = {.glyph = glyph, .marks = {}, .style = style};
}

void Canvas::put_wide(int row, int column, char32_t glyph, Style style) {
  const bool fits = has(row, column) && has(row, column + 1);
  put(row, column, fits ? glyph : U' ', style);
  put(row, column + 1, U' ', style);
  if (fits) cells_[index(row, column + 1)].glyph = kCovered;
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
    for (int column = 0; column < columns_; ++column) {
      const Cell& cell = at(row, column);
      if (cell.glyph == kCovered) continue;
      append_glyph(line, cell.glyph);
      for (const char32_t mark : cell.marks) append_glyph(line, mark);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  const std::size_t end = text.find_last_not_of('\n');
  text.erase(end == std::string::npos ? 0 : end + 2);
  return text;
}

}  // namespace tesela::cli
