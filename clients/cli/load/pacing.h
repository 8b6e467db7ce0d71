// When a connection of `tesela load` sends: below the rate that the server allows, and after the
// time that a player thinks.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "clients/cli/base/random.h"

namespace tesela::cli {

/// Keeps one connection below the rate that the server allows it (Welcome.frames_per_second_max). A
/// leaky bucket that starts empty: at most kBurstFrames at once, and the given rate in the long
/// run.
class Pacer {
 public:
  using Clock = std::chrono::steady_clock;

  /// Far below any server's own burst, so that clocks and scheduling never push a connection over
  /// it.
  static constexpr std::uint32_t kBurstFrames = 32;

  /// 0 frames a second means no limit.
  explicit Pacer(std::uint32_t frames_per_second_max = 0) {
    if (frames_per_second_max == 0) return;
    // Rounded up: the rate is never above the limit.
    interval_ = std::chrono::nanoseconds{1'000'000'000 / frames_per_second_max + 1};
  }

  /// Reserves one frame and gives the time to send it: `now`, or later.
  [[nodiscard]] Clock::time_point send_at(Clock::time_point now) {
    if (interval_ == Clock::duration::zero()) return now;
    due_ = std::max(due_, now) + interval_;
    return std::max(now, due_ - interval_ * kBurstFrames);
  }

 private:
  Clock::duration interval_{};
  Clock::time_point due_{};  // when the bucket would be empty again
};

/// How long the player of one connection waits before a move. One thread.
class ThinkTime {
 public:
  using Duration = std::chrono::microseconds;

  /// So many moves a second in the long run; 0 does not think. Players with different
  /// seeds do not move at the same times.
  ThinkTime(double moves_per_second, std::uint64_t seed) : random_(seed) {
    if (moves_per_second > 0) mean_ = Duration{static_cast<Duration::rep>(1e6 / moves_per_second)};
  }

  /// The time before the next move: between 0.5 and 1.5 times the mean.
  [[nodiscard]] Duration next() {
    constexpr std::uint32_t kParts = 1000;
    return mean_ / 2 + mean_ * random_below(random_, kParts) / kParts;
  }

 private:
  Duration mean_{};
  std::uint64_t random_;
};

}  // namespace tesela::cli
