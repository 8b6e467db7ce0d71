// Draws a grid of tiles on a canvas, as large as there is room for, and facts beside it.
#pragma once

#include <string>
#include <vector>

#include "clients/cli/screen/canvas.h"
#include "clients/cli/screen/grid_animation.h"

namespace tesela::cli {

/// Where the cells of a grid are on a canvas: each `tile_height` × `tile_width` characters, with
/// lines between them or without.
struct GridLayout {
  int rows = 0;
  int columns = 0;
  int tile_height = 1;
  int tile_width = 1;
  bool ruled = false;
  int top = 0;
  int left = 0;

  [[nodiscard]] int gap() const { return ruled ? 1 : 0; }
  [[nodiscard]] int height() const { return rows * (tile_height + gap()) + gap(); }
  [[nodiscard]] int width() const { return columns * (tile_width + gap()) + gap(); }
  /// The first character of a cell; `row` and `column` may be between cells.
  [[nodiscard]] int y(double row) const;
  [[nodiscard]] int x(double column) const;
};

void draw_lines(const GridLayout& layout, Canvas& canvas);

/// A cell filled with `style`, with `text` in its middle.
void draw_tile(const GridLayout& layout, double row, double column, const std::string& text,
               Style style, Canvas& canvas);

/// Marks a cell with brackets at its edges, over its drawing.
void draw_brackets(const GridLayout& layout, int row, int column, Style style, Canvas& canvas);

/// A name with its value, such as the score.
struct Fact {
  std::string name;
  std::string value;
};

/// Three rows a fact, from the cell downwards: the name, the value, a blank.
void draw_facts(const std::vector<Fact>& facts, int row, int column, Canvas& canvas);

}  // namespace tesela::cli
