// What is to be seen, before a terminal shows it: characters in rows and columns, each in its
// style. Games draw here, so that what they draw can be read by a test.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::cli {

/// Colours as xterm numbers them; -1 is the terminal's own. Terminals with fewer than 256 use the
/// `few_` ones, 0..7. Nothing may be told by colours alone.
struct Paint {
  short ink = -1;
  short paper = -1;
  short few_ink = -1;
  short few_paper = -1;

  friend auto operator<=>(const Paint&, const Paint&) = default;
};

struct Style {
  Paint paint{};
  bool bold = false;
  bool dim = false;
  bool reverse = false;
  bool underline = false;

  friend bool operator==(const Style&, const Style&) = default;
};

inline constexpr Style kBold{.bold = true};
inline constexpr Style kDim{.dim = true};

/// Rows from the top, columns from the left, both from 0. What lies outside is cut off.
class Canvas {
 public:
  struct Cell {
    char32_t glyph = U' ';
    Style style{};
  };

  Canvas(int rows, int columns);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }

  /// Writes UTF-8 from a cell to the right, one character a cell.
  void put(int row, int column, std::string_view text, Style style = {});
  void put(int row, int column, char32_t glyph, Style style = {});
  void fill(int row, int column, int height, int width, char32_t glyph, Style style = {});

  [[nodiscard]] const Cell& at(int row, int column) const { return cells_[index(row, column)]; }
  /// The characters as UTF-8, a line a row, without the blanks at the ends of the lines and the
  /// blank lines at the end.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  int rows_;
  int columns_;
  std::vector<Cell> cells_;
};

/// Adds a character in UTF-8.
void append_glyph(std::string& text, char32_t glyph);

}  // namespace tesela::cli
