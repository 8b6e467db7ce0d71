#include "server/table/recent_moves.h"

#include <functional>
#include <utility>

#include "server/net/limits.h"

namespace tesela::table {
namespace {

std::uint32_t hash_of(std::string_view move_id) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(move_id));
}

}  // namespace

void RecentMoves::add(Seat seat, std::string move_id, Version version) {
  const auto hash = hash_of(move_id);
  PlayedMove move{.seat = seat, .version = version, .move_id = std::move(move_id)};
  if (moves_.size() < limits::kMoveIdsMax) {
    hashes_.push_back(hash);
    moves_.push_back(std::move(move));
    return;
  }
  hashes_[oldest_] = hash;
  moves_[oldest_] = std::move(move);
  oldest_ = (oldest_ + 1) % moves_.size();
}

std::optional<Version> RecentMoves::find(Seat seat, std::string_view move_id) const {
  const auto hash = hash_of(move_id);
  for (std::size_t i = 0; i < hashes_.size(); ++i) {
    if (hashes_[i] != hash) continue;
    const PlayedMove& move = moves_[i];
    if (move.seat == seat && move.move_id == move_id) return move.version;
  }
  return std::nullopt;
}

}  // namespace tesela::table
