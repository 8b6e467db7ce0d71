// The immediate gain of a move for its player, for hints and analyses.
#pragma once

#include <algorithm>

#include "engine/azul/azul.h"

namespace tesela::azul {

/// As far as it is certain when the move is made.
struct Gain {
  unsigned count{};   // tiles that are taken
  bool fills_line{};  // the pattern line is full then
  unsigned points{};  // of the tile of that line, if the walls were tiled right then (R-AZ-8)
  unsigned
      to_floor{};  // pieces for the floor line, the marker and those without a space among them
  unsigned floor_cost{};  // by how much they raise the cost of the floor line (R-AZ-9)
  bool marker{};          // the marker is among them (R-AZ-4)

  friend bool operator==(const Gain&, const Gain&) = default;
};

/// The points of the tile of a full pattern line of `colour`, when the full lines above it have
/// been tiled (R-AZ-8).
[[nodiscard]] inline unsigned points_of_line(const Board& board, unsigned row, Colour colour) {
  Wall wall = board.wall;
  for (unsigned above = 0; above < row; ++above) {
    const PatternLine line = board.lines[above];
    if (line.count == line_size(above)) {
      wall.tile(wall_cell(above, colour_of(line.holds)));
    }
  }
  const unsigned cell = wall_cell(row, colour);
  wall.tile(cell);
  return wall.points(cell);
}

/// The gain of a legal move of the seat on turn.
[[nodiscard]] inline Gain gain_of_move(const State& s, const Move& move) {
  const Board& board = s.table.boards[s.turn.value];
  Gain gain{.count = s.table.sources[move.source].count(move.colour),
            .marker = move.source == kCentre && s.table.marker_in_centre()};
  unsigned fit = 0;
  if (move.target != kFloor) {
    const unsigned room = line_size(move.target) - board.lines[move.target].count;
    fit = std::min(gain.count, room);
    gain.fills_line = fit == room;
  }
  if (gain.fills_line) {
    gain.points = points_of_line(board, move.target, move.colour);
  }
  gain.to_floor = gain.count - fit + (gain.marker ? 1U : 0U);
  const unsigned occupied = std::min(board.floor.count() + gain.to_floor, FloorLine::kSpaces);
  gain.floor_cost = FloorLine::cost_of(occupied) - board.floor.cost();
  return gain;
}

}  // namespace tesela::azul
