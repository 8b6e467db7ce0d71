// The time that this thread has computed, so that what else the machine does is not measured.
#pragma once

#include <ctime>

namespace tesela::bench {

[[nodiscard]] inline double processor_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

}  // namespace tesela::bench
