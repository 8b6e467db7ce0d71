#include "server/table/recent_moves.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "server/net/limits.h"

namespace tesela::table {

void RecentMoves::add(Seat seat, std::string move_id, Version version) {
  // Half at a time: forgetting one by one would move all the others with every move.
  if (moves_.size() == 2 * limits::kMoveIdsMax) {
    moves_.erase(moves_.begin(), moves_.begin() + limits::kMoveIdsMax);
  }
  const auto hash = std::hash<std::string>{}(move_id);
  moves_.push_back({hash, seat, version, std::move(move_id)});
}

std::optional<Version> RecentMoves::find(Seat seat, std::string_view move_id) const {
  const auto hash = std::hash<std::string_view>{}(move_id);
  const auto found = std::ranges::find_if(moves_, [&](const PlayedMove& played) {
    return played.hash == hash && played.seat == seat && played.move_id == move_id;
  });
  if (found == moves_.end()) return std::nullopt;
  return found->version;
}

}  // namespace tesela::table
