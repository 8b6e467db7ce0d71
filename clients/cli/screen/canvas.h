// A grid of characters with styles, which a terminal shows. Games draw on it, so that tests can
// read what they draw.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::cli {

/// Colours of the xterm palette; -1 is the terminal's default. Terminals with fewer than 256
/// colours use `few_ink` and `few_paper`, 0..7. No information is given by colours alone.
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

/// Rows from the top, columns from the left, both from 0. Drawing outside is cut off.
class Canvas {
 public:
  struct Cell {
    char32_t glyph = U' ';   // kCovered: the one before is two columns wide
    std::u32string marks{};  // upon it
    Style style{};
  };
  static constexpr char32_t kCovered = 0x110000;  // no character

  Canvas(int rows, int columns);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }

  /// Writes UTF-8 from a cell to the right. Characters of two columns take two cells; where one of
  /// them is outside, or is written over, the other one is blank.
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

  /// Whether the cell is on the canvas.
  [[nodiscard]] bool has(int row, int column) const {
    return row >= 0 && row < rows_ && column >= 0 && column < columns_;
  }
  void put_wide(int row, int column, char32_t glyph, Style style);

  int rows_;
  int columns_;
  std::vector<Cell> cells_;
};

/// Adds a character in UTF-8.
void append_glyph(std::string& text, char32_t glyph);

}  // namespace tesela::cli
