// How long to wait before trying again: twice as long each time, up to a limit, and never exactly
// as long as everybody else who lost the same server.
#pragma once

#include <chrono>
#include <cstdint>

namespace tesela::cli {

/// The k-th wait in a row is between half and all of min(first * 2^k, max).
class BackOff {
 public:
  using Duration = std::chrono::milliseconds;

  BackOff(Duration first, Duration max, std::uint64_t random_seed)
      : first_(first), max_(max), random_(random_seed) {}

  /// The next wait.
  [[nodiscard]] Duration next();
  /// It worked: the next wait is the first again.
  void reset() { tries_ = 0; }

 private:
  Duration first_;
  Duration max_;
  std::uint64_t random_;
  unsigned tries_ = 0;
};

}  // namespace tesela::cli
