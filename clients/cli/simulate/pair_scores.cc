#include "clients/cli/simulate/pair_scores.h"

#include <algorithm>
#include <functional>

namespace tesela::cli {

void PairScores::add_ranks(std::span<const std::uint8_t> bots,
                           std::span<const std::uint8_t> ranks) {
  for (std::size_t one = 0; one < bots.size(); ++one) {
    for (std::size_t other = 0; other < bots.size(); ++other) {
      if (one == other) continue;
      const double points = ranks[one] < ranks[other]    ? 1.0
                            : ranks[one] == ranks[other] ? 0.5
                                                         : 0.0;
      add(bots[one], bots[other], points);
    }
  }
}

PairScores& PairScores::operator+=(const PairScores& other) {
  std::ranges::transform(points_, other.points_, points_.begin(), std::plus{});
  return *this;
}

}  // namespace tesela::cli
