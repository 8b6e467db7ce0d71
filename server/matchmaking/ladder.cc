#include "server/matchmaking/ladder.h"

#include <limits>

namespace tesela::matchmaking {

void Ladder::insert(double rating, Age age) {
  rising_.emplace(rating, age);
  falling_.emplace(-rating, age);
}

void Ladder::erase(double rating, Age age) {
  rising_.erase({rating, age});
  falling_.erase({-rating, age});
}

void Ladder::collect(double rating, double window, std::size_t most,
                     std::vector<Neighbour>& neighbours) const {
  const auto climb = [&](auto rung, auto end, double from) {
    for (std::size_t looks = 0; rung != end && looks < most; ++rung, ++looks) {
      const double distance = rung->first - from;
      if (distance > window) return;
      neighbours.push_back({distance, rung->second});
    }
  };
  climb(rising_.lower_bound({rating, 0}), rising_.end(), rating);
  climb(falling_.upper_bound({-rating, std::numeric_limits<Age>::max()}), falling_.end(), -rating);
}

}  // namespace tesela::matchmaking
