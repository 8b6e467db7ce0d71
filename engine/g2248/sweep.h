// The cells of a board one after the other, with the few met before that still have neighbours to
// come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/g2248/board.h"
#include "engine/g2248/cell_set.h"
#include "engine/g2248/profile.h"

namespace tesela::g2248 {

/// One step of the sweep: a new cell.
struct Arrival {
  /// An earlier neighbour of it.
  struct Behind {
    std::uint8_t slot;
    Cell cell;
  };

  Cell cell{};
  std::uint8_t slot{};  // the slot that it takes
  std::uint8_t behind_count{0};
  std::array<Behind, 4> behind_cells{};
  SlotExponents exponents{};                // before it, and its own in Sweep::arriving()
  std::array<std::uint16_t, 16> waiting{};  // by slot, after it: bit m when a cell may wait as m
  std::uint64_t sum_after{0};               // of the cells to come; at most kBoundMax

  [[nodiscard]] std::span<const Behind> behind() const {
    return std::span{behind_cells}.first(behind_count);
  }
};

/// Goes over a board in lines along its narrow side; in every column a cell comes before those
/// below it. Slot s < narrow() holds the cell met last at place s of a line, slot narrow() the one
/// that stood before at the place of the cell met last.
class Sweep {
 public:
  /// Nothing is known of cells that are not among `cells`, and none waits for them.
  Sweep(BoardView board, Bits128 cells);

  [[nodiscard]] std::size_t narrow() const { return narrow_; }
  /// The slot in which a cell is joined to those behind it, before it takes its own.
  [[nodiscard]] std::size_t arriving() const { return narrow_ + 1U; }
  [[nodiscard]] std::span<const Arrival> arrivals() const { return arrivals_; }

  /// The profile when the arrived cell has taken its slot. Empty when a cell would wait for more
  /// than can come.
  [[nodiscard]] std::optional<Profile> settled(Profile profile, const Arrival& arrival) const;

 private:
  [[nodiscard]] Cell cell_at(std::size_t index) const;
  [[nodiscard]] std::optional<std::size_t> index_in(std::size_t slot, std::size_t index) const;
  [[nodiscard]] Arrival arrival_of(std::size_t index) const;
  [[nodiscard]] std::uint16_t waiting_of(Cell cell, Bits128 to_come) const;

  BoardView board_;
  std::uint8_t narrow_;
  std::vector<Arrival> arrivals_;
};

}  // namespace tesela::g2248
