// A board taken apart by value. Along a chain the values never fall, so a chain is one path after
// the other, each within a group of equal neighbours, each group of the double value of the one
// before. Seen from its last tile, a chain goes down through the levels.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/g2248/board.h"
#include "engine/g2248/cell_set.h"

namespace tesela::g2248 {

/// More than any legal sum (R-2248-4): bounds stop here, so that three of them still fit 64 bits.
inline constexpr std::uint64_t kBoundMax = std::uint64_t{1} << 62U;

/// What `cells` tiles of an exponent sum to, or kBoundMax when that is less.
[[nodiscard]] constexpr std::uint64_t level_sum(int cells, Exponent exponent) {
  return std::min(static_cast<std::uint64_t>(cells), kBoundMax >> exponent) << exponent;
}

/// Equal tiles that hang together; a single tile too.
template <class Bits>
struct Component {
  Bits cells{};
  Exponent exponent{};
  /// No chain that ends in this component sums to more. 0: no chain does.
  std::uint64_t bound{};
  /// The cells of all chains that end in this component are among these.
  Bits below{};
};

/// The components of a board, by level. Tiles of 2^60 are left out: they are in no legal chain.
template <class Bits>
class Levels {
 public:
  explicit Levels(BoardView board) : shape_{board.rows, board.columns} {
    for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
      at_[board.cells[cell]] |= set_of<Bits>(static_cast<Cell>(cell));
      neighbours_[cell] = shape_.grown(set_of<Bits>(static_cast<Cell>(cell)));
    }
    for (Exponent exponent = 1; exponent < kExponentMax; ++exponent) {
      first_[exponent] = count_;
      for (Bits left = at_[exponent]; left != 0;) {
        const Bits cells = shape_.flooded(left & (~left + 1), left);
        left &= ~cells;
        add({.cells = cells, .exponent = exponent});
      }
    }
    first_[kExponentMax] = count_;
  }

  [[nodiscard]] const Shape<Bits>& shape() const { return shape_; }
  /// The tiles of an exponent.
  [[nodiscard]] Bits at(Exponent exponent) const { return at_[exponent]; }
  /// A cell and its neighbours.
  [[nodiscard]] Bits around(Cell cell) const { return neighbours_[cell]; }

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const Component<Bits>& operator[](std::size_t index) const {
    return components_[index];
  }
  /// The component of a tile that is not of 2^60.
  [[nodiscard]] const Component<Bits>& of(Cell cell) const { return components_[of_[cell]]; }

  /// The largest bound among the components of a level that touch `cells`. 0 when none does.
  [[nodiscard]] std::uint64_t bound_beside(Bits cells, Exponent exponent) const {
    std::uint64_t bound = 0;
    for_each_beside(cells, exponent, [&](const Component<Bits>& component) {
      bound = std::max(bound, component.bound);
    });
    return bound;
  }

  /// The cells below all components of a level that touch `cells`.
  [[nodiscard]] Bits below_beside(Bits cells, Exponent exponent) const {
    Bits below{};
    for_each_beside(cells, exponent,
                    [&](const Component<Bits>& component) { below |= component.below; });
    return below;
  }

 private:
  /// Level 0 has no components.
  template <class Visit>
  void for_each_beside(Bits cells, Exponent exponent, Visit&& visit) const {
    const Bits beside = exponent == 0 ? 0 : shape_.grown(cells) & at_[exponent];
    if (beside == 0) {
      return;
    }
    for (std::size_t index = first_[exponent]; index < first_[exponent + 1U]; ++index) {
      if ((components_[index].cells & beside) != 0) {
        visit(components_[index]);
      }
    }
  }

  void add(Component<Bits> component) {
    const int cells = g2248::count(component.cells);
    const auto lower = static_cast<Exponent>(component.exponent - 1);
    const std::uint64_t below = bound_beside(component.cells, lower);
    if (cells > 1 || below != 0) {
      component.bound = std::min(below + level_sum(cells, component.exponent), kBoundMax);
      component.below = component.cells | below_beside(component.cells, lower);
    }
    for_each_cell(component.cells,
                  [&](Cell cell) { of_[cell] = static_cast<std::uint8_t>(count_); });
    components_[count_++] = component;
  }

  Shape<Bits> shape_;
  std::array<Bits, kExponentMax + 1> at_{};
  std::array<Bits, kCellsMax> neighbours_{};
  std::size_t count_{0};
  std::array<Component<Bits>, kCellsMax> components_{};
  std::array<std::size_t, kExponentMax + 1> first_{};  // component of each level
  std::array<std::uint8_t, kCellsMax> of_{};
};

}  // namespace tesela::g2248
