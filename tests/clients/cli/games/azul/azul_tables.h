// Tables of Azul for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "tesela/game/v1/azul.pb.h"

namespace tesela::cli {

/// Five counts.
using AzulCounts = std::vector<std::uint32_t>;

inline game::v1::AzulOffer azul_offer(std::uint32_t factory, game::v1::AzulColour colour,
                                      std::uint32_t count, const AzulCounts& lines,
                                      const AzulCounts& overflow) {
  game::v1::AzulOffer offer;
  offer.set_factory(factory);
  offer.set_colour(colour);
  offer.set_count(count);
  offer.mutable_lines()->Assign(lines.begin(), lines.end());
  offer.mutable_overflow()->Assign(overflow.begin(), overflow.end());
  return offer;
}

inline game::v1::AzulBoard empty_azul_board() {
  game::v1::AzulBoard board;
  for (int row = 0; row < 5; ++row) {
    board.add_line_colours(0);
    board.add_line_counts(0);
  }
  for (int cell = 0; cell < 25; ++cell) board.add_wall(0);
  return board;
}

/// Factory 1 has two blue, a red and a white tile, factory 2 three yellow and a black one, the
/// others none; the centre has four red and the marker. It is the turn of seat 0.
inline game::v1::AzulView azul_view(int players = 2) {
  game::v1::AzulView view;
  auto& table = *view.mutable_table();
  for (const std::uint32_t count : {2U, 0U, 1U, 0U, 1U, 0U, 3U, 0U, 1U, 0U}) {
    table.add_factories(count);
  }
  for (int count = 10; count < (2 * players + 1) * 5; ++count) table.add_factories(0);
  for (const std::uint32_t count : {0U, 0U, 4U, 0U, 0U}) table.add_centre(count);
  table.set_marker_in_centre(true);
  for (const std::uint32_t count : {10U, 9U, 8U, 7U, 6U}) table.add_bag(count);
  for (const std::uint32_t count : {0U, 1U, 2U, 3U, 4U}) table.add_lid(count);
  for (int seat = 0; seat < players; ++seat) *table.add_boards() = empty_azul_board();
  view.set_round(2);
  view.set_turn(0);
  view.set_outcome(game::v1::AZUL_OUTCOME_IN_PLAY);
  *view.add_offers() =
      azul_offer(0, game::v1::AZUL_COLOUR_BLUE, 2, {0, 1, 2, 3, 4}, {1, 0, 0, 0, 0});
  *view.add_offers() = azul_offer(0, game::v1::AZUL_COLOUR_RED, 1, {0, 2}, {0, 0});
  *view.add_offers() = azul_offer(1, game::v1::AZUL_COLOUR_YELLOW, 3, {0, 1, 4}, {2, 1, 0});
  auto centre = azul_offer(0, game::v1::AZUL_COLOUR_RED, 4, {2}, {1});
  centre.set_centre(true);
  centre.set_marker(true);
  *view.add_offers() = centre;
  return view;
}

}  // namespace tesela::cli
