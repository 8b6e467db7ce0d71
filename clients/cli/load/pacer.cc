#include "clients/cli/load/pacer.h"

#include <algorithm>

namespace tesela::cli {

Pacer::Pacer(std::uint32_t frames_per_second_max) {
  if (frames_per_second_max == 0) return;
  // Rounded up: the rate is never above the limit.
  interval_ = std::chrono::nanoseconds{1'000'000'000 / frames_per_second_max + 1};
}

Pacer::Clock::time_point Pacer::send_at(Clock::time_point now) {
  if (interval_ == Clock::duration::zero()) return now;
  due_ = std::max(due_, now) + interval_;
  return std::max(now, due_ - interval_ * kBurstFrames);
}

}  // namespace tesela::cli
