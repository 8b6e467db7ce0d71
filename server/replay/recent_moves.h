// The moves that a table has played, so that one that is sent again is recognised.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"

namespace tesela::replay {

/// Remembers four bytes of each version: enough to tell a new id from all that were played, but for
/// a few that the log has to be asked about. Whatever is not found was not played.
class RecentMoves {
 public:
  /// A player's move became `version`, which is above those that were added before. Those between
  /// were moves of bots, which send none again.
  void add(Version version, Seat seat, std::string_view move_id);

  /// The versions that a seat's move of this id may have become, the newest first, at most
  /// limits::kMoveLookupsMax + 1 of them.
  [[nodiscard]] std::vector<Version> find(Seat seat, std::string_view move_id) const;

 private:
  std::vector<std::uint32_t> marks_;  // of versions 2, 3, 4 …; 0: not a player's
};

}  // namespace tesela::replay
