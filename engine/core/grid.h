// What the grids of all games share: how cells are numbered and how a piece moves between them.
//
// A grid is flat and row-major: cell `row * columns + column`, rows from the top, columns from the
// left, both from 0.
#pragma once

#include <cstdint>

namespace tesela {

/// The motion of one piece during a stage, for the animation of clients.
struct Motion {
  std::uint16_t from{};  // the cell it leaves, in the grid before the stage
  std::uint16_t to{};    // the cell it arrives in; `from` for the partner of a merge that stays
  bool merged{};         // on both partners of a merge: the piece becomes one with another in `to`

  friend bool operator==(const Motion&, const Motion&) = default;
};

}  // namespace tesela
