// Boards of bits as everybody else sees them: cells numbered row by row from the top.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/samegame/config.h"

namespace tesela::samegame {

/// Where a cell stands on a board of bits.
template <class Set>
[[nodiscard]] constexpr typename Set::Place place_of(const Setting& setting, std::uint16_t cell) {
  return Set::place(cell % setting.columns, setting.rows - 1U - cell / setting.columns);
}

/// The cell that stands there.
template <class Set>
[[nodiscard]] constexpr std::uint16_t cell_of(const Setting& setting, typename Set::Place place) {
  const unsigned row = setting.rows - 1U - Set::height_of(place);
  return static_cast<std::uint16_t>(row * setting.columns + Set::column_of(place));
}

/// What every cell of the board holds.
template <class AnyBoard>
[[nodiscard]] constexpr std::vector<Colour> colours_of(const Setting& setting,
                                                       const AnyBoard& board) {
  std::vector<Colour> colours(setting.cell_count());
  for (std::uint16_t cell = 0; cell < setting.cell_count(); ++cell) {
    const auto place = place_of<typename AnyBoard::Set>(setting, cell);
    colours[cell] = static_cast<Colour>(board.number(place));
  }
  return colours;
}

/// The board whose cells hold `colours`. It must have room for the setting (AnyBoard::has_room).
template <class AnyBoard>
[[nodiscard]] constexpr AnyBoard board_of(const Setting& setting, std::span<const Colour> colours) {
  AnyBoard board;
  for (std::uint16_t cell = 0; cell < setting.cell_count(); ++cell) {
    board.put(place_of<typename AnyBoard::Set>(setting, cell), colours[cell]);
  }
  return board;
}

/// The cells of a set, ascending.
template <class Set>
[[nodiscard]] constexpr std::vector<std::uint16_t> cells_of(const Setting& setting,
                                                            const Set& set) {
  std::vector<std::uint16_t> cells;
  cells.reserve(set.size());
  for (std::uint16_t cell = 0; cell < setting.cell_count(); ++cell) {
    if (set.contains(place_of<Set>(setting, cell))) {
      cells.push_back(cell);
    }
  }
  return cells;
}

}  // namespace tesela::samegame
