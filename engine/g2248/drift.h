// What each cell of a chain adds to where its tile lands (R-2248-10).
#pragma once

#include <array>
#include <cstdint>

#include "engine/g2248/cell_set.h"
#include "engine/g2248/config.h"

namespace tesela::g2248 {

/// By cell, how it counts towards the rows between a chain's tile and the one that it is to land
/// beside (Landing::rows_apart). All 0 for a chain that may end anywhere. "Before" and "after" are
/// meant in any order of the cells that goes down in each column.
struct Drift {
  std::array<std::int16_t, kCellsMax> as_last{};
  std::array<std::int16_t, kCellsMax> before_last{};
  std::array<std::int16_t, kCellsMax> after_last{};

  /// Whether another one counts each of these cells as this one does.
  template <class Bits>
  [[nodiscard]] bool agrees(const Drift& other, Bits cells) const {
    bool same = true;
    for_each_cell(cells, [&](Cell cell) {
      same = same && as_last[cell] == other.as_last[cell] &&
             before_last[cell] == other.before_last[cell] &&
             after_last[cell] == other.after_last[cell];
    });
    return same;
  }
};

}  // namespace tesela::g2248
