// The time since the machine was started.
#pragma once

#include <chrono>
#include <ctime>

namespace tesela::base {

/// A clock of <chrono>. It is never set, and it goes on while the process is stopped and while the
/// machine sleeps. The same in every process of the machine. Any thread.
struct BootClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return time_point{std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec}};
  }
};

}  // namespace tesela::base
