// The state of a partial chain when the first cells of a board were decided: how its pieces end
// among the cells with undecided neighbours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/g2248/config.h"

namespace tesela::g2248 {

/// The open needs of a cell.
using Mark = std::uint8_t;
/// Nothing: it is not in the chain, or both its neighbours in the chain are known.
inline constexpr Mark kNothing = 0;
/// Two neighbours: nothing is joined to it yet.
inline constexpr Mark kLoose = 1;
/// One lower or equal neighbour: its piece holds the last tile of the chain, or it is that tile.
inline constexpr Mark kToLast = 2;
/// One equal neighbour: it is the first tile of the chain.
inline constexpr Mark kFirst = 3;
/// One higher or equal neighbour: its piece begins with the first tile of the chain.
inline constexpr Mark kFromFirst = 4;
/// kOther + s: one neighbour, and the other end of its piece is the cell in slot s.
inline constexpr Mark kOther = 5;

/// The exponents of the cells in the slots of a profile.
using SlotExponents = std::array<Exponent, 16>;

/// A mark for each of at most kSlotsMax cells, which stand in slots from 0 on. Equal for two
/// beginnings of a chain exactly when the same ends complete them. Source: the mates of D. E.
/// Knuth's Simpath, The Art of Computer Programming 4A, 7.1.4, exercise 225; here cells and not
/// edges are taken one by one.
class Profile {
 public:
  static constexpr std::size_t kSlotsMax = 11;

  [[nodiscard]] constexpr Mark at(std::size_t slot) const {
    return static_cast<Mark>(marks_ >> (4 * slot) & 15U);
  }
  constexpr void set(std::size_t slot, Mark mark) {
    marks_ = (marks_ & ~(std::uint64_t{15} << (4 * slot))) | (std::uint64_t{mark} << (4 * slot));
  }

  /// Whether no cell needs anything.
  [[nodiscard]] constexpr bool empty() const { return marks_ == 0; }
  /// All marks.
  [[nodiscard]] constexpr std::uint64_t marks() const { return marks_; }

  /// Moves the cell of a slot to one that waits for nothing.
  constexpr void move(std::size_t from, std::size_t to) {
    const Mark mark = at(from);
    set(from, kNothing);
    set(to, mark);
    if (mark >= kOther) {
      set(mark - kOther, static_cast<Mark>(kOther + to));
    }
  }

  /// Whether the cells of two slots that touch and wait for something may follow each other.
  [[nodiscard]] constexpr bool may_join(std::size_t a, std::size_t b,
                                        const SlotExponents& exponents) const {
    if (at(a) == kOther + b) {
      return false;  // a ring
    }
    if (exponents[a] == exponents[b]) {
      return (may_rise(a, exponents) && may_fall(b, exponents)) ||
             (may_fall(a, exponents) && may_rise(b, exponents));
    }
    const std::size_t low = exponents[a] < exponents[b] ? a : b;
    const std::size_t high = a + b - low;
    return exponents[low] + 1 == exponents[high] && at(low) != kFirst && may_rise(low, exponents) &&
           may_fall(high, exponents);
  }

  /// Joins two cells that may be. Returns whether the chain has both its first and last tile then.
  constexpr bool join(std::size_t a, std::size_t b) {
    const Mark end_a = other_end(a);
    const Mark end_b = other_end(b);
    set(a, kNothing);
    set(b, kNothing);
    if (end_a >= kOther) {
      set(end_a - kOther, end_b);
    }
    if (end_b >= kOther) {
      set(end_b - kOther, end_a);
    }
    return end_a < kOther && end_b < kOther;
  }

 private:
  /// The other end of a cell's piece, as a mark for the cell that is joined to it. A loose cell is
  /// its own other end.
  [[nodiscard]] constexpr Mark other_end(std::size_t slot) const {
    const Mark mark = at(slot);
    if (mark == kLoose) {
      return static_cast<Mark>(kOther + slot);
    }
    return mark == kFirst ? kFromFirst : mark;
  }

  /// Whether a tile may follow this one on the way to the last.
  [[nodiscard]] constexpr bool may_rise(std::size_t slot, const SlotExponents& exponents) const {
    const Mark mark = at(slot);
    return mark >= kOther ? exponents[mark - kOther] <= exponents[slot] : mark != kToLast;
  }

  /// Whether a tile may come before this one.
  [[nodiscard]] constexpr bool may_fall(std::size_t slot, const SlotExponents& exponents) const {
    const Mark mark = at(slot);
    return mark >= kOther ? exponents[mark - kOther] >= exponents[slot]
                          : mark == kLoose || mark == kToLast;
  }

  std::uint64_t marks_{0};
};

}  // namespace tesela::g2248
