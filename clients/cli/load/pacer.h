// Keeps one connection below the rate that the server allows it (Welcome.frames_per_second_max).
#pragma once

#include <chrono>
#include <cstdint>

namespace tesela::cli {

/// A leaky bucket that starts empty: at most kBurstFrames at once, and the given rate in the long
/// run.
class Pacer {
 public:
  using Clock = std::chrono::steady_clock;

  /// Far below any server's own burst, so that clocks and scheduling never push a connection over
  /// it.
  static constexpr std::uint32_t kBurstFrames = 32;

  /// 0 frames a second means no limit.
  explicit Pacer(std::uint32_t frames_per_second_max = 0);

  /// Takes leave to send one frame and says when to send it: `now`, or a time after it.
  [[nodiscard]] Clock::time_point send_at(Clock::time_point now);

 private:
  Clock::duration interval_{};
  Clock::time_point due_{};  // when the bucket would be empty again
};

}  // namespace tesela::cli
