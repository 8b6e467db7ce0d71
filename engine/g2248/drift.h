// What each cell of a chain adds to where its tile lands (R-2248-10).
#pragma once

#include <array>
#include <cstdint>

#include "engine/g2248/config.h"

namespace tesela::g2248 {

/// By cell, how it counts towards the rows between a chain's tile and the one that it is to land
/// beside (Landing::rows_apart). All 0 for a chain that may end anywhere. "Before" and "after" are
/// meant in any order of the cells that goes down in each column.
struct Drift {
  std::array<std::int8_t, kCellsMax> as_last{};
  std::array<std::int8_t, kCellsMax> before_last{};
  std::array<std::int8_t, kCellsMax> after_last{};
};

}  // namespace tesela::g2248
