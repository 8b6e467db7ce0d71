// A turn: taking tiles and placing them (R-AZ-3..6).
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/azul/choices.h"
#include "engine/azul/stage.h"
#include "engine/azul/table.h"

namespace tesela::azul {

/// The marker comes with the first tiles from the centre (R-AZ-4).
template <class Stages>
void take_marker(Table& table, Seat seat, Telling<Stages>& tell) {
  FloorLine& floor = table.boards[seat.value].floor;
  const unsigned space = floor.count();
  const bool fits = floor.add(kMarker, 1) == 1;
  table.next_starter = seat;
  tell.motion(kMarker, 1, source_place(kCentre),
              fits ? floor_place(seat, space) : hand_place(seat));
}

/// R-AZ-3. Returns how many tiles are in the hand.
template <class Stages>
unsigned take(Table& table, Seat seat, const Move& move, Telling<Stages>& tell) {
  Tiles& source = table.sources[move.source];
  const unsigned count = source.count(move.colour);
  source.remove(move.colour, count);
  tell.motion(piece_of(move.colour), count, source_place(move.source), hand_place(seat));
  if (move.source != kCentre) {
    const Tiles rest = source.take_all();
    table.centre() += rest;
    for (const Colour colour : kColours) {
      tell.motion(piece_of(colour), rest.count(colour), source_place(move.source),
                  source_place(kCentre));
    }
  } else if (table.marker_in_centre()) {
    take_marker(table, seat, tell);
  }
  tell.stage([&] {
    return Stage{
        .kind = StageKind::kTake, .seat = seat, .in_hand = static_cast<std::uint8_t>(count)};
  });
  return count;
}

/// R-AZ-5. Returns how many tiles are left in the hand.
template <class Stages>
unsigned place(Table& table, Seat seat, const Move& move, unsigned in_hand, Telling<Stages>& tell) {
  if (move.target == kFloor) {
    return in_hand;
  }
  PatternLine& line = table.boards[seat.value].lines[move.target];
  const unsigned fit = std::min(in_hand, line_size(move.target) - line.count);
  for (unsigned cell = line.count; cell < line.count + fit; ++cell) {
    tell.motion(piece_of(move.colour), 1, hand_place(seat), line_place(seat, move.target, cell));
  }
  line = {.holds = piece_of(move.colour), .count = static_cast<std::uint8_t>(line.count + fit)};
  const unsigned left = in_hand - fit;
  tell.stage([&] {
    return Stage{
        .kind = StageKind::kPlace, .seat = seat, .in_hand = static_cast<std::uint8_t>(left)};
  });
  return left;
}

/// R-AZ-6.
template <class Stages>
void overflow(Table& table, Seat seat, const Move& move, unsigned in_hand, Telling<Stages>& tell) {
  if (in_hand == 0) {
    return;
  }
  const Piece piece = piece_of(move.colour);
  FloorLine& floor = table.boards[seat.value].floor;
  const unsigned occupied = floor.count();
  const unsigned fit = floor.add(piece, in_hand);
  for (unsigned space = occupied; space < occupied + fit; ++space) {
    tell.motion(piece, 1, hand_place(seat), floor_place(seat, space));
  }
  table.lid.add(move.colour, in_hand - fit);
  tell.motion(piece, in_hand - fit, hand_place(seat), kLidPlace);
  tell.stage([&] { return Stage{.kind = StageKind::kOverflow, .seat = seat}; });
}

/// All of it, for a legal move.
template <class Stages>
void take_turn(Table& table, Seat seat, const Move& move, Telling<Stages>& tell) {
  unsigned in_hand = take(table, seat, move, tell);
  in_hand = place(table, seat, move, in_hand, tell);
  overflow(table, seat, move, in_hand, tell);
}

/// R-AZ-7.
[[nodiscard]] inline bool round_over(const Table& table) {
  return std::ranges::all_of(table.sources, &Tiles::empty);
}

}  // namespace tesela::azul
