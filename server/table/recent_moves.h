// The moves a table remembers, so that one that is sent again is recognised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"

namespace tesela::table {

class RecentMoves {
 public:
  /// Remembers a move that was played; the last kMoveIdsMax stay.
  void add(Seat seat, std::string move_id, Version version);

  /// The version that a seat's move became; nothing when it was not played or is forgotten.
  [[nodiscard]] std::optional<Version> find(Seat seat, std::string_view move_id) const;

 private:
  struct PlayedMove {
    Seat seat;
    Version version;
    std::string move_id;
  };
  // A new move is compared with all that are remembered: the hashes of their ids lie together, as
  // small as may be. Both are a ring once they are full.
  std::vector<std::uint32_t> hashes_;
  std::vector<PlayedMove> moves_;
  std::size_t oldest_ = 0;
};

}  // namespace tesela::table
