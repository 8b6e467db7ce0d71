// Where the tile of a chain lands, and whether it finds its like there (R-2248-10).
#pragma once

#include <cstdint>

#include "engine/g2248/cell_set.h"
#include "engine/g2248/levels.h"

namespace tesela::g2248 {

/// Judges chains of one value V. None of their tiles is worth V itself, so all tiles of that value
/// are still there when the board has fallen.
template <class Bits>
class Landing {
 public:
  /// `levels` must outlive it.
  Landing(const Levels<Bits>& levels, Exponent value)
      : levels_{levels}, like_{levels.at(value)}, empty_{levels.at(0)} {}

  /// The columns in which such a chain may end.
  [[nodiscard]] Bits columns() const {
    Bits near{};
    for_each_cell(levels_.shape().grown(like_),
                  [&](Cell cell) { near |= levels_.shape().column_of(cell); });
    return near;
  }

  /// Whether the tile that a chain leaves in `last` has a neighbour of its value when all has
  /// fallen.
  bool operator()(Bits chain, Cell last) const {
    const Bits gone = (chain & ~set_of<Bits>(last)) | empty_;
    const int column = last % levels_.shape().columns();
    const int row = row_after(last, gone);
    for (Bits left = like_; left != 0; left &= left - 1) {
      const Cell like = lowest(left);
      const int aside = like % levels_.shape().columns() - column;
      if (aside < -1 || aside > 1) {
        continue;
      }
      const int above = row_after(like, gone) - row;
      if (above >= -1 && above <= 1) {
        return true;
      }
    }
    return false;
  }

 private:
  /// The row in which a tile lies when the cells `gone` are empty.
  int row_after(Cell cell, Bits gone) const {
    return cell / levels_.shape().columns() + count(levels_.shape().below(cell) & gone);
  }

  const Levels<Bits>& levels_;
  Bits like_;
  Bits empty_;
};

}  // namespace tesela::g2248
