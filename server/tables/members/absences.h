// Since when the players of a table are away.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "engine/core/game.h"
#include "engine/core/ids.h"

namespace tesela::tables {

/// A seat is away while no stream of its player is there. One thread: the table's.
class Absences {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Everybody is away since `now`: when a table was loaded or its game begins, nobody can have
  /// missed it for longer.
  explicit Absences(Time now) { since_.fill(now); }

  /// Takes the players that are connected now.
  void note(const std::array<bool, kSeatsMax>& connected, Time now) {
    for (std::size_t seat = 0; seat < connected.size(); ++seat) {
      if (connected[seat]) {
        since_[seat].reset();
      } else if (!since_[seat]) {
        since_[seat] = now;
      }
    }
  }

  /// How long the player of a seat has been away, at least a millisecond; 0 for a connected player.
  [[nodiscard]] std::chrono::milliseconds of(Seat seat, Time now) const {
    const auto& since = since_[seat.value];
    if (!since) return {};
    using std::chrono::milliseconds;
    return std::max(std::chrono::duration_cast<milliseconds>(now - *since), milliseconds{1});
  }
  [[nodiscard]] bool away(Seat seat) const { return since_[seat.value].has_value(); }

 private:
  std::array<std::optional<Time>, kSeatsMax> since_;
};

}  // namespace tesela::tables
