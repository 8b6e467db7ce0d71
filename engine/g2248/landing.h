// Where the tile of a chain lands, and whether it finds its like there (R-2248-10).
#pragma once

#include <cstdint>
#include <cstdlib>

#include "engine/g2248/cell_set.h"
#include "engine/g2248/drift.h"
#include "engine/g2248/levels.h"

namespace tesela::g2248 {

/// Judges whether the tile that a chain makes lands beside a given one of the same value. No tile
/// of the chain is worth as much, so the given one is still there when the board has fallen.
template <class Bits>
class Landing {
 public:
  Landing(const Levels<Bits>& levels, Cell like)
      : shape_{levels.shape()}, like_{like}, empty_{levels.at(0)} {}

  /// The columns in which such a chain ends.
  [[nodiscard]] Bits columns() const {
    Bits near{};
    for_each_cell(shape_.grown(set_of<Bits>(like_)),
                  [&](Cell cell) { near |= shape_.column_of(cell); });
    return near;
  }

  /// Whether a chain of these cells that ends in `last`, within columns(), lands beside it.
  bool operator()(Bits chain, Cell last) const { return std::abs(rows_apart(chain, last)) <= 1; }

  /// Whether a chain may that holds `held` and some of `could`.
  bool possible(Bits held, Bits could, Cell last) const {
    const Bits most = held | could;
    if (same_column(last)) {
      return std::abs(rows_apart(most, last)) <= 1;
    }
    return row_after(last, gone(held, last)) - row_after(like_, gone(most, last)) <= 1 &&
           row_after(last, gone(most, last)) - row_after(like_, gone(held, last)) >= -1;
  }

  /// All that matters of the cells held so far: how many rows under the like the tile would land.
  [[nodiscard]] int rows_apart(Bits held, Cell last) const {
    return row_after(last, gone(held, last)) - row_after(like_, gone(held, last));
  }

  /// Different for every such pair of tiles.
  [[nodiscard]] std::uint16_t id(Cell last) const {
    return static_cast<std::uint16_t>(like_ * kCellsMax + last);
  }

  /// rows_apart(), cell by cell, of a chain that ends in the column of `last`.
  [[nodiscard]] Drift drift(Cell last) const {
    Drift drift;
    for_each_cell(shape_.all(), [&](Cell cell) {
      const int under_like = (shape_.below(like_) & set_of<Bits>(cell)) != 0 ? 1 : 0;
      const int in_column = (shape_.column_of(last) & set_of<Bits>(cell)) != 0 ? 1 : 0;
      drift.as_last[cell] = static_cast<std::int16_t>(rows_apart(Bits{0}, cell));
      drift.before_last[cell] = static_cast<std::int16_t>(-under_like);
      drift.after_last[cell] = static_cast<std::int16_t>(in_column - under_like);
    });
    return drift;
  }

 private:
  [[nodiscard]] bool same_column(Cell last) const {
    return shape_.column_of(last) == shape_.column_of(like_);
  }

  [[nodiscard]] Bits gone(Bits held, Cell last) const {
    return (held & ~set_of<Bits>(last)) | empty_;
  }

  /// The row in which a tile lies when the cells `gone` are empty.
  [[nodiscard]] int row_after(Cell cell, Bits gone) const {
    return cell / shape_.columns() + count(shape_.below(cell) & gone);
  }

  Shape<Bits> shape_;
  Cell like_;
  Bits empty_;
};

}  // namespace tesela::g2248
