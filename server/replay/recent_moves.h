// The ids of the moves in a table's log, with the players that chose them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/ids.h"

namespace tesela::replay {

/// Recognises a move that a client sends again. Stores a hash of four bytes for each version. A new
/// id may collide with a few versions, which the log has to be read for; an id that is not found
/// was not played.
class RecentMoves {
 public:
  /// Adds a player's move, which became `version`. Versions rise from call to call; those that are
  /// left out are moves of bots, which are never sent again.
  void add(Version version, Seat seat, std::string_view move_id);

  /// The hashes of the versions from `first` (at least 2) to `last`, as stored snapshots have them
  /// (FORMAT.md); 0 for a version that is no player's move.
  [[nodiscard]] std::vector<std::uint32_t> marks(Version first, Version last) const;
  /// Adds what `marks` gave for the versions from `first` on, which are later than all others.
  void add_marks(Version first, std::span<const std::uint32_t> marks);

  /// The versions that the seat's move with this id may have become, newest first, at most
  /// limits::kMoveLookupsMax + 1.
  [[nodiscard]] std::vector<Version> find(Seat seat, std::string_view move_id) const;

 private:
  std::vector<std::uint32_t> marks_;  // of versions 2, 3, 4 …; 0: no player's move
};

/// Counts, for each seat, the moves that its player chose and those that a strategy chose.
class MoveShares {
 public:
  struct Share {
    std::uint32_t by_player = 0;
    std::uint32_t by_strategy = 0;

    friend bool operator==(const Share&, const Share&) = default;
  };

  MoveShares() = default;
  explicit MoveShares(const std::array<Share, kSeatsMax>& shares) : shares_(shares) {}
  [[nodiscard]] const std::array<Share, kSeatsMax>& shares() const { return shares_; }

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
  std::array<Share, kSeatsMax> shares_{};
};

}  // namespace tesela::replay
