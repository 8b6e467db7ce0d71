#include "clients/cli/screen/grid_board.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace tesela::cli {
namespace {

char32_t crossing(const GridLayout& layout, int row, int column) {
  const std::size_t right = column == 0 ? 0 : column == layout.columns ? 2 : 1;
  const std::size_t down = row == 0 ? 0 : row == layout.rows ? 2 : 1;
  constexpr std::array<std::u32string_view, 3> kCrossings{U"┌┬┐", U"├┼┤", U"└┴┘"};
  return kCrossings.at(down).at(right);
}

}  // namespace

int GridLayout::y(double row) const {
  return top + gap() + static_cast<int>(std::lround(row * (tile_height + gap())));
}

int GridLayout::x(double column) const {
  return left + gap() + static_cast<int>(std::lround(column * (tile_width + gap())));
}

void draw_lines(const GridLayout& layout, Canvas& canvas) {
  if (!layout.ruled) return;
  for (int row = 0; row <= layout.rows; ++row) {
    canvas.fill(layout.y(row) - 1, layout.left, 1, layout.width(), U'─', kDim);
  }
  for (int column = 0; column <= layout.columns; ++column) {
    const int x = layout.x(column) - 1;
    canvas.fill(layout.top, x, layout.height(), 1, U'│', kDim);
    for (int row = 0; row <= layout.rows; ++row) {
      canvas.put(layout.y(row) - 1, x, crossing(layout, row, column), kDim);
    }
  }
}

void draw_tile(const GridLayout& layout, double row, double column, const std::string& text,
               Style style, Canvas& canvas) {
  const int top = layout.y(row);
  const int left = layout.x(column);
  canvas.fill(top, left, layout.tile_height, layout.tile_width, U' ', style);
  const int indent = (layout.tile_width - static_cast<int>(text.size())) / 2;
  canvas.put(top + layout.tile_height / 2, left + indent, text, style);
}

void draw_brackets(const GridLayout& layout, int row, int column, Style style, Canvas& canvas) {
  const int y = layout.y(row) + layout.tile_height / 2;
  canvas.put(y, layout.x(column), U'[', style);
  canvas.put(y, layout.x(column) + layout.tile_width - 1, U']', style);
}

void draw_facts(const std::vector<Fact>& facts, int row, int column, Canvas& canvas) {
  constexpr int kRowsPerFact = 3;
  for (const Fact& fact : facts) {
    canvas.put(row, column, fact.name);
    canvas.put(row + 1, column, fact.value, kBold);
    row += kRowsPerFact;
  }
}

}  // namespace tesela::cli
