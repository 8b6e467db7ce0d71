// The clients that wait for a table to be loaded.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "server/replay/execution_queue.h"
#include "server/store/table_rows.h"

namespace tesela::directory {

/// One thread.
class Loading {
 public:
  /// A client waits for the table; `player`: who it is, if it has said so.
  void comes(std::optional<PlayerId> player) {
    somebody_ = true;
    if (player) players_.push_back(*player);
  }
  /// The table's row was read.
  void knows(const store::TableRow& row) {
    known_ = true;
    over_ = row.state == store::TableState::kOver;
    owner_ = row.owner;
    for (const store::SeatRow& seat : row.seats) seated_.push_back(seat.player);
  }
  /// Urgency of the load; until the row was read, as if no waiting player had a seat.
  [[nodiscard]] replay::Urgency urgency() const {
    if (over_) return replay::Urgency::kEnded;
    const bool plays = std::ranges::any_of(players_, [this](PlayerId player) {
      return std::ranges::find(seated_, player) != seated_.end();
    });
    if (plays) return replay::Urgency::kPlayer;
    return somebody_ ? replay::Urgency::kSpectator : replay::Urgency::kBots;
  }

  /// Whether the player is its owner or has a seat there, as far as is known: true before the row
  /// was read.
  [[nodiscard]] bool may_name(PlayerId player) const {
    return !known_ || owner_ == player || std::ranges::find(seated_, player) != seated_.end();
  }

 private:
  bool known_ = false;
  bool somebody_ = false;
  bool over_ = false;
  PlayerId owner_{};
  std::vector<PlayerId> players_;
  std::vector<PlayerId> seated_;
};

}  // namespace tesela::directory
