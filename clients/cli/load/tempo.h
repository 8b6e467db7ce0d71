// How long the player of one connection of `tesela load` thinks about a move.
#pragma once

#include <chrono>
#include <cstdint>

#include "clients/cli/base/random.h"

namespace tesela::cli {

/// One thread.
class Tempo {
 public:
  using Duration = std::chrono::microseconds;

  /// So many moves a second in the long run; 0 does not think. Players of different `seed` do not
  /// move in step.
  Tempo(double moves_per_second, std::uint64_t seed) : random_(seed) {
    if (moves_per_second > 0) mean_ = Duration{static_cast<Duration::rep>(1e6 / moves_per_second)};
  }

  /// For the next move: between half of the mean and one and a half.
  [[nodiscard]] Duration think() {
    constexpr std::uint32_t kParts = 1000;
    return mean_ / 2 + mean_ * random_below(random_, kParts) / kParts;
  }

 private:
  Duration mean_{};
  std::uint64_t random_;
};

}  // namespace tesela::cli
