#include "engine/azul/wall.h"

namespace tesela::azul {

TileScore Wall::score(unsigned cell) const {
  const Run across = kRuns[row(cell / kRows)][cell % kRows];
  const Run down = kRuns[column(cell % kRows)][cell / kRows];
  const bool down_counts = !std::has_single_bit(down);
  const bool across_counts = !std::has_single_bit(across) || !down_counts;
  return {.across = across_counts ? across : 0, .down = down_counts ? down : 0};
}

Completed Wall::completed() const {
  Completed completed;
  for (unsigned line = 0; line < kRows; ++line) {
    completed.rows += row(line) == kFull;
    completed.columns += column(line) == kFull;
  }
  for (const Colour colour : kColours) {
    bool complete = true;
    for (unsigned row = 0; row < kRows; ++row) {
      complete = complete && has(wall_cell(row, colour));
    }
    completed.colours += complete;
  }
  return completed;
}

}  // namespace tesela::azul
