// Who has given up a game, and what that makes of its ranks.
#pragma once

#include <array>
#include <cstdint>

#include "engine/core/game.h"
#include "engine/core/ids.h"

namespace tesela::games {

/// A value: the order in which the seats of a game gave up.
class Resignations {
 public:
  void add(Seat seat);
  [[nodiscard]] bool any() const { return count_ > 0; }
  [[nodiscard]] bool contains(Seat seat) const { return order_.at(seat.value) != 0; }

  /// Whether so few of `seats` are left that nobody plays on: one of several, or none.
  [[nodiscard]] bool end_the_game(std::uint8_t seats) const;
  /// Who gave up ranks behind all who did not, and behind those who gave up later.
  [[nodiscard]] Result ranked(Result standings) const;

 private:
  std::array<std::uint8_t, kSeatsMax> order_{};  // from 1; 0: has not given up
  std::uint8_t count_ = 0;
};

}  // namespace tesela::games
