// Who decided on the moves of each seat.
#pragma once

#include <array>
#include <cstdint>

#include "engine/core/game.h"
#include "engine/core/ids.h"

namespace tesela::replay {

/// A value: the moves of a game, as its log has them.
class MoveShares {
 public:
  void add(Seat seat, bool by_strategy) {
    auto& share = shares_.at(seat.value);
    ++(by_strategy ? share.by_strategy : share.by_player);
  }
  /// Whether a strategy played more of the seat's moves than its player did.
  [[nodiscard]] bool mostly_by_strategy(Seat seat) const {
    const auto& share = shares_.at(seat.value);
    return share.by_strategy > share.by_player;
  }

 private:
  struct Share {
    std::uint32_t by_player = 0;
    std::uint32_t by_strategy = 0;
  };
  std::array<Share, kSeatsMax> shares_{};
};

}  // namespace tesela::replay
