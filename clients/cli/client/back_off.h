// How long to wait before trying again: twice as long each time, up to a limit, with random jitter,
// so that the clients of a server that was lost do not come back all at once.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "clients/cli/base/random.h"

namespace tesela::cli {

/// The k-th wait in a row is between half and all of min(first * 2^k, max).
class BackOff {
 public:
  using Duration = std::chrono::milliseconds;

  BackOff(Duration first, Duration max, std::uint64_t random_seed)
      : first_(first), max_(max), random_(random_seed) {}

  /// The next wait.
  [[nodiscard]] Duration next() {
    Duration longest = first_;
    for (unsigned i = 0; i < tries_ && longest < max_; ++i) longest *= 2;
    ++tries_;
    longest = std::min(longest, max_);
    const auto half = static_cast<std::uint32_t>(longest.count() / 2);
    return Duration{longest.count() - random_below(random_, half + 1)};
  }
  /// After a success: the next wait is the first again.
  void reset() { tries_ = 0; }

 private:
  Duration first_;
  Duration max_;
  std::uint64_t random_;
  unsigned tries_ = 0;
};

}  // namespace tesela::cli
