// The end of a round and the deal of the next (R-AZ-2, R-AZ-8, R-AZ-9).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/azul/stage.h"
#include "engine/azul/table.h"
#include "engine/core/rng.h"

namespace tesela::azul {

/// How many tiles a factory display gets.
inline constexpr unsigned kTilesPerFactory = 4;

/// Several tiles of several colours that go the same way.
template <class Stages>
void tell_tiles(Tiles tiles, Place from, Place to, Telling<Stages>& tell) {
  for (const Colour colour : kColours) {
    tell.motion(piece_of(colour), tiles.count(colour), from, to);
  }
}

/// A full pattern line tiles the wall (R-AZ-8).
template <class Stages>
void tile_row(Table& table, Seat seat, unsigned row, Telling<Stages>& tell) {
  Board& board = table.boards[seat.value];
  const Piece piece = std::exchange(board.lines[row], {}).holds;
  const unsigned cell = wall_cell(row, colour_of(piece));
  board.wall.tile(cell);
  const unsigned points = board.wall.points(cell);
  board.score = static_cast<std::uint16_t>(board.score + points);
  table.lid.add(colour_of(piece), row);
  tell.motion(piece, 1, line_place(seat, row, 0), wall_place(seat, cell));
  for (unsigned rest = 1; rest < line_size(row); ++rest) {
    tell.motion(piece, 1, line_place(seat, row, rest), kLidPlace);
  }
  tell.stage([&] {
    return Stage{.kind = StageKind::kTile,
                 .seat = seat,
                 .points = static_cast<std::int16_t>(points),
                 .tiled = static_cast<std::uint8_t>(cell),
                 .counted = board.wall.score(cell)};
  });
}

/// R-AZ-9.
template <class Stages>
void clear_floor(Table& table, Seat seat, Telling<Stages>& tell) {
  Board& board = table.boards[seat.value];
  if (board.floor.empty()) {
    return;
  }
  const unsigned lost = std::min<unsigned>(board.score, board.floor.cost());
  for (unsigned space = 0; space < board.floor.count(); ++space) {
    const Piece piece = board.floor.piece(space);
    if (piece == kMarker) {
      tell.motion(piece, 1, floor_place(seat, space), hand_place(seat));
    } else {
      table.lid.add(colour_of(piece), 1);
      tell.motion(piece, 1, floor_place(seat, space), kLidPlace);
    }
  }
  board.floor.clear();
  board.score = static_cast<std::uint16_t>(board.score - lost);
  tell.stage([&] {
    return Stage{.kind = StageKind::kPenalty,
                 .seat = seat,
                 .points = static_cast<std::int16_t>(-static_cast<int>(lost))};
  });
}

/// R-AZ-8 for all, then R-AZ-9 for all. Returns whether a tile came onto some wall.
template <class Stages>
bool end_round(Table& table, Telling<Stages>& tell) {
  bool tiled = false;
  for (Seat seat{0}; seat.value < table.players; ++seat.value) {
    for (unsigned row = 0; row < kRows; ++row) {
      if (table.boards[seat.value].lines[row].count == line_size(row)) {
        tile_row(table, seat, row, tell);
        tiled = true;
      }
    }
  }
  for (Seat seat{0}; seat.value < table.players; ++seat.value) {
    clear_floor(table, seat, tell);
  }
  return tiled;
}

/// Deals to one factory display; it stays short when neither bag nor lid has a tile.
template <class Stages>
void deal_factory(Table& table, Source factory, Rng& rng, Telling<Stages>& tell) {
  Tiles drawn;
  for (unsigned tile = 0; tile < kTilesPerFactory; ++tile) {
    if (table.bag.empty()) {
      tell_tiles(drawn, kBagPlace, source_place(factory), tell);
      table.sources[factory] += drawn.take_all();
      tell_tiles(table.lid, kLidPlace, kBagPlace, tell);
      table.bag = table.lid.take_all();
      if (table.bag.empty()) {
        return;
      }
    }
    const Colour colour = table.bag.colour_of(rng.uniform(table.bag.total()));
    table.bag.remove(colour, 1);
    drawn.add(colour, 1);
  }
  tell_tiles(drawn, kBagPlace, source_place(factory), tell);
  table.sources[factory] += drawn;
}

/// R-AZ-2. Draws nothing when bag and lid are empty.
template <class Stages>
void deal(Table& table, Rng& rng, Telling<Stages>& tell) {
  if (!table.marker_in_centre()) {
    tell.motion(kMarker, 1, hand_place(table.next_starter), source_place(kCentre));
    table.next_starter = kNobody;
  }
  for (std::size_t factory = 0; factory < factory_count(table.players); ++factory) {
    deal_factory(table, static_cast<Source>(factory), rng, tell);
  }
  tell.stage([] { return Stage{.kind = StageKind::kDeal}; });
}

}  // namespace tesela::azul
