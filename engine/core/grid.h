// Parts shared by the grids of all games: the numbers of cells, and motions between them.
//
// A grid is flat and row-major: cell `row * columns + column`, rows from the top, columns from the
// left, both from 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tesela {

/// The motion of one piece during a stage, for the animation of clients.
struct Motion {
  std::uint16_t from{};  // the cell it leaves, in the grid before the stage
  std::uint16_t to{};    // the cell it arrives in; `from` for the partner of a merge that stays
  bool merged{};         // on both partners of a merge: the piece becomes one with another in `to`

  friend bool operator==(const Motion&, const Motion&) = default;
};

/// The motions of a stage, at most `kMax`: a list without memory of its own, since a stage with
/// motions is made in every move.
template <std::size_t kMax>
class Motions {
 public:
  using value_type = Motion;
  using const_iterator = const Motion*;

  /// At most `kMax` times.
  constexpr void push_back(const Motion& motion) {
    motions_[size_] = motion;
    ++size_;
  }

  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr const Motion* begin() const { return motions_.data(); }
  [[nodiscard]] constexpr const Motion* end() const { return motions_.data() + size_; }

  friend constexpr bool operator==(const Motions& a, const Motions& b) {
    return std::ranges::equal(a, b);
  }

 private:
  std::array<Motion, kMax> motions_{};
  std::size_t size_{0};
};

}  // namespace tesela
