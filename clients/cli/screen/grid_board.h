// Draws the tiles of a grid on a canvas, as large as there is room for.
#pragma once

#include <functional>
#include <string>

#include "clients/cli/screen/canvas.h"
#include "clients/cli/screen/grid_film.h"

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
  /// Of the first character of a cell; rows and columns may lie between cells.
  [[nodiscard]] int y(double row) const;
  [[nodiscard]] int x(double column) const;
};

void draw_lines(const GridLayout& layout, Canvas& canvas);

/// A cell filled with `style`, with `text` in its middle.
void draw_tile(const GridLayout& layout, double row, double column, const std::string& text,
               Style style, Canvas& canvas);

/// Marks a cell with brackets at its edges, over what is drawn in it.
void draw_brackets(const GridLayout& layout, int row, int column, Style style, Canvas& canvas);

}  // namespace tesela::cli
