// The rules of SameGame once more, slow and plain, to compare with: R-SG-2 and R-SG-3 on rows of
// numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/samegame/config.h"

namespace tesela::samegame {

class PlainBoard {
 public:
  PlainBoard(const Setting& setting, std::vector<Colour> cells)
      : rows_{setting.rows}, columns_{setting.columns}, cells_{std::move(cells)} {}

  [[nodiscard]] const std::vector<Colour>& cells() const { return cells_; }

  /// The tiles that hang together with `cell`, ascending; none for an empty cell.
  [[nodiscard]] std::vector<std::uint16_t> group(std::uint16_t cell) const {
    std::vector<std::uint16_t> found;
    if (cells_[cell] != kEmpty) {
      found.push_back(cell);
    }
    for (std::size_t next = 0; next < found.size(); ++next) {
      for (const std::uint16_t neighbour : neighbours(found[next])) {
        if (cells_[neighbour] == cells_[cell] &&
            std::ranges::find(found, neighbour) == found.end()) {
          found.push_back(neighbour);
        }
      }
    }
    std::ranges::sort(found);
    return found;
  }

  void remove(const std::vector<std::uint16_t>& group) {
    for (const std::uint16_t cell : group) {
      cells_[cell] = kEmpty;
    }
    std::vector<std::vector<Colour>> columns;
    for (std::size_t column = 0; column < columns_; ++column) {
      std::vector<Colour> tiles;  // from the bottom
      for (std::size_t row = rows_; row-- > 0;) {
        if (cells_[row * columns_ + column] != kEmpty) {
          tiles.push_back(cells_[row * columns_ + column]);
        }
      }
      if (!tiles.empty()) {
        columns.push_back(std::move(tiles));
      }
    }
    std::ranges::fill(cells_, kEmpty);
    for (std::size_t column = 0; column < columns.size(); ++column) {
      for (std::size_t height = 0; height < columns[column].size(); ++height) {
        cells_[(rows_ - 1 - height) * columns_ + column] = columns[column][height];
      }
    }
  }

 private:
  [[nodiscard]] std::vector<std::uint16_t> neighbours(std::size_t cell) const {
    std::vector<std::uint16_t> cells;
    const auto add = [&cells](std::size_t n) { cells.push_back(static_cast<std::uint16_t>(n)); };
    if (cell >= columns_) add(cell - columns_);
    if (cell + columns_ < cells_.size()) add(cell + columns_);
    if (cell % columns_ != 0) add(cell - 1);
    if (cell % columns_ + 1 != columns_) add(cell + 1);
    return cells;
  }

  std::size_t rows_;
  std::size_t columns_;
  std::vector<Colour> cells_;
};

}  // namespace tesela::samegame
