// How many frames a connection may send: a token bucket.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "server/net/limits.h"

namespace tesela::net {

class FrameBudget {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `rate` frames a second in the long run, kFrameBurstSeconds' worth of them at once; 0: no
  /// limit.
  FrameBudget(std::uint32_t rate, Time now) : rate_(rate), left_(burst()), last_(now) {}

  /// Takes one frame; false when there is none left.
  [[nodiscard]] bool take(Time now) {
    if (rate_ == 0) return true;
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    left_ = std::min(left_ + seconds * rate_, burst());
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  [[nodiscard]] double burst() const {
    return static_cast<double>(rate_) * limits::kFrameBurstSeconds;
  }

  std::uint32_t rate_;
  double left_;
  Time last_;
};

}  // namespace tesela::net
