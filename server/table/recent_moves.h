// The moves a table remembers, so that one that is sent again is recognised.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"

namespace tesela::table {

class RecentMoves {
 public:
  /// Remembers a move that was played, and forgets the oldest; at least the last kMoveIdsMax stay.
  void add(Seat seat, std::string move_id, Version version);

  /// The version that a seat's move became; nothing when it was not played or is forgotten.
  [[nodiscard]] std::optional<Version> find(Seat seat, std::string_view move_id) const;

 private:
  struct PlayedMove {
    std::size_t hash;  // of the id: a new move is compared with all that are remembered
    Seat seat;
    Version version;
    std::string move_id;
  };
  std::vector<PlayedMove> moves_;  // oldest first
};

}  // namespace tesela::table
