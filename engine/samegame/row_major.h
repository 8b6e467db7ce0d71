// Converts boards of bits to the public numbering of cells: row by row from the top.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/samegame/config.h"

namespace tesela::samegame {

/// The place of a cell on a board of bits.
template <class Set>
[[nodiscard]] constexpr typename Set::Place place_of(const Setting& setting, std::uint16_t cell) {
  return Set::place(cell % setting.columns, setting.rows - 1U - cell / setting.columns);
}

/// The cell of a place.
template <class Set>
[[nodiscard]] constexpr std::uint16_t cell_of(const Setting& setting, typename Set::Place place) {
  const unsigned row = setting.rows - 1U - Set::height_of(place);
  return static_cast<std::uint16_t>(row * setting.columns + Set::column_of(place));
}

/// Calls sink(cell, place) for every cell of the board, ascending.
template <class Set, class Sink>
constexpr void each_cell(const Setting& setting, Sink&& sink) {
  std::uint16_t cell = 0;
  for (unsigned height = setting.rows; height-- > 0;) {
    for (unsigned column = 0; column < setting.columns; ++column, ++cell) {
      sink(cell, Set::place(column, height));
    }
  }
}

/// What every cell of the board holds.
template <class AnyBoard>
[[nodiscard]] constexpr std::vector<Colour> colours_of(const Setting& setting,
                                                       const AnyBoard& board) {
  std::vector<Colour> colours(setting.cell_count());
  each_cell<typename AnyBoard::Set>(setting, [&](std::uint16_t cell, auto place) {
    colours[cell] = static_cast<Colour>(board.number(place));
  });
  return colours;
}

/// The board whose cells hold `colours`. It must have room for the setting (AnyBoard::has_room).
template <class AnyBoard>
[[nodiscard]] constexpr AnyBoard board_of(const Setting& setting, std::span<const Colour> colours) {
  AnyBoard board;
  each_cell<typename AnyBoard::Set>(
      setting, [&](std::uint16_t cell, auto place) { board.put(place, colours[cell]); });
  return board;
}

/// The cells of a set, ascending.
template <class Set>
[[nodiscard]] constexpr std::vector<std::uint16_t> cells_of(const Setting& setting,
                                                            const Set& set) {
  std::vector<std::uint16_t> cells;
  cells.reserve(set.size());
  set.each([&](auto place) { cells.push_back(cell_of<Set>(setting, place)); });
  std::ranges::sort(cells);
  return cells;
}

}  // namespace tesela::samegame
