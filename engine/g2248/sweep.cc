#include "engine/g2248/sweep.h"

#include <algorithm>

#include "engine/g2248/levels.h"

namespace tesela::g2248 {

Sweep::Sweep(BoardView board, Bits128 cells)
    : board_{board}, narrow_{std::min(board.rows, board.columns)} {
  Bits128 to_come = cells;
  for (std::size_t index = 0; index < board.cells.size(); ++index) {
    Arrival arrival = arrival_of(index);
    to_come &= ~set_of<Bits128>(arrival.cell);
    for (std::size_t slot = 0; slot <= narrow_; ++slot) {
      const auto there = index_in(slot, index);
      arrival.waiting[slot] = there ? waiting_of(cell_at(*there), to_come) : 1U << kNothing;
    }
    for_each_cell(to_come, [&](Cell cell) {
      arrival.sum_after = std::min(arrival.sum_after + tile_value(board.cells[cell]), kBoundMax);
    });
    arrivals_.push_back(arrival);
  }
}

std::optional<Profile> Sweep::settled(Profile profile, const Arrival& arrival) const {
  if (profile.at(narrow_) != kNothing) {
    return std::nullopt;
  }
  profile.move(arrival.slot, narrow_);
  profile.move(arriving(), arrival.slot);
  for (std::size_t slot = 0; slot <= narrow_; ++slot) {
    if ((arrival.waiting[slot] >> profile.at(slot) & 1U) == 0) {
      return std::nullopt;
    }
  }
  return profile;
}

/// The cell that is met as the `index`-th.
Cell Sweep::cell_at(std::size_t index) const {
  const std::size_t line = index / narrow_;
  const std::size_t place = index % narrow_;
  return static_cast<Cell>(narrow_ == board_.columns ? index : place * board_.columns + line);
}

/// The index of the cell in a slot after the `index`-th step.
std::optional<std::size_t> Sweep::index_in(std::size_t slot, std::size_t index) const {
  const std::size_t place = index % narrow_;
  const std::size_t line_start = index - place;
  if (slot <= place) {
    return line_start + slot;
  }
  if (line_start == 0) {
    return std::nullopt;
  }
  return line_start - narrow_ + (slot == narrow_ ? place : slot);
}

Arrival Sweep::arrival_of(std::size_t index) const {
  Arrival arrival;
  arrival.cell = cell_at(index);
  arrival.slot = static_cast<std::uint8_t>(index % narrow_);
  arrival.exponents[arriving()] = board_.cells[arrival.cell];
  for (std::size_t slot = 0; index > 0 && slot <= narrow_; ++slot) {
    const auto there = index_in(slot, index - 1);
    if (!there) {
      continue;
    }
    const Cell behind = cell_at(*there);
    arrival.exponents[slot] = board_.cells[behind];
    if (are_neighbours(board_.columns, behind, arrival.cell)) {
      arrival.behind_cells[arrival.behind_count++] = {.slot = static_cast<std::uint8_t>(slot),
                                                      .cell = behind};
    }
  }
  return arrival;
}

/// The marks that a cell may have (bit m: mark m) when the cells `to_come` are left.
std::uint16_t Sweep::waiting_of(Cell cell, Bits128 to_come) const {
  const Exponent exponent = board_.cells[cell];
  int equal = 0;
  int lower = 0;
  int higher = 0;
  for_each_neighbour(board_.rows, board_.columns, cell, [&](std::size_t, Cell to) {
    if ((to_come & set_of<Bits128>(to)) != 0) {
      equal += board_.cells[to] == exponent ? 1 : 0;
      lower += board_.cells[to] + 1 == exponent ? 1 : 0;
      higher += board_.cells[to] == exponent + 1 ? 1 : 0;
    }
  });
  unsigned marks = 1U << kNothing;
  marks |= equal + lower + higher > 1 ? 1U << kLoose : 0U;
  marks |= equal + lower > 0 ? 1U << kToLast : 0U;
  marks |= equal > 0 ? 1U << kFirst : 0U;
  marks |= equal + higher > 0 ? 1U << kFromFirst : 0U;
  marks |= equal + lower + higher > 0 ? 0xffffU << kOther : 0U;
  return static_cast<std::uint16_t>(marks);
}

}  // namespace tesela::g2248
