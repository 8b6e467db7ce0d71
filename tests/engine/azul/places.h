// What lies where, by the numbers that motions use: so that it can be checked that the motions of a
// stage lead from one table to the next.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/azul/azul.h"

namespace tesela::test {

/// How many of each piece lie in each place.
using AzulPlaces = std::array<std::array<std::uint8_t, azul::kMarker + 1>, 500>;

inline void add_pieces(AzulPlaces& places, azul::Place place, azul::Piece piece, unsigned count) {
  auto& pieces = places.at(place).at(piece);
  pieces = static_cast<std::uint8_t>(pieces + count);
}

inline void add_tiles(AzulPlaces& places, azul::Place place, const azul::Tiles& tiles) {
  for (const azul::Colour colour : azul::kColours) {
    add_pieces(places, place, azul::piece_of(colour), tiles.count(colour));
  }
}

/// Returns whether the floor line holds the marker.
inline bool add_board(AzulPlaces& places, Seat seat, const azul::Board& board) {
  for (unsigned row = 0; row < azul::kRows; ++row) {
    for (unsigned cell = 0; cell < board.lines[row].count; ++cell) {
      add_pieces(places, azul::line_place(seat, row, cell), board.lines[row].holds, 1);
    }
  }
  for (unsigned cell = 0; cell < azul::kRows * azul::kRows; ++cell) {
    if (board.wall.has(cell)) {
      add_pieces(places, azul::wall_place(seat, cell), azul::piece_of(azul::wall_colour(cell)), 1);
    }
  }
  bool marker = false;
  for (unsigned space = 0; space < board.floor.count(); ++space) {
    add_pieces(places, azul::floor_place(seat, space), board.floor.piece(space), 1);
    marker = marker || board.floor.piece(space) == azul::kMarker;
  }
  return marker;
}

/// All of a table but the tiles in a hand.
[[nodiscard]] inline AzulPlaces places_of(const azul::Table& table) {
  AzulPlaces places{};
  for (azul::Source source = 0; source < azul::kSourcesMax; ++source) {
    add_tiles(places, azul::source_place(source), table.sources[source]);
  }
  add_tiles(places, azul::kBagPlace, table.bag);
  add_tiles(places, azul::kLidPlace, table.lid);
  bool marker_on_a_floor = false;
  for (Seat seat{0}; seat.value < table.players; ++seat.value) {
    marker_on_a_floor = add_board(places, seat, table.boards[seat.value]) || marker_on_a_floor;
  }
  if (table.marker_in_centre()) {
    add_pieces(places, azul::source_place(azul::kCentre), azul::kMarker, 1);
  } else if (!marker_on_a_floor) {
    add_pieces(places, azul::hand_place(table.next_starter), azul::kMarker, 1);
  }
  return places;
}

/// Whether every motion finds its pieces and they all together make of the table before what each
/// stage shows, the hand included.
[[nodiscard]] inline bool motions_lead_on(const azul::Table& before, const azul::Move& move,
                                          const std::vector<azul::Stage>& stages) {
  AzulPlaces places = places_of(before);
  for (const azul::Stage& stage : stages) {
    for (const azul::Motion& motion : stage.motions) {
      auto& left = places.at(motion.from).at(motion.piece);
      if (left < motion.count) {
        return false;
      }
      left = static_cast<std::uint8_t>(left - motion.count);
      add_pieces(places, motion.to, motion.piece, motion.count);
    }
    AzulPlaces shown = places_of(stage.table);
    add_pieces(shown, azul::hand_place(stage.seat), azul::piece_of(move.colour), stage.in_hand);
    if (shown != places) {
      return false;
    }
  }
  return true;
}

}  // namespace tesela::test
