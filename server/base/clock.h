// The wall clock, as records and frames carry it.
#pragma once

#include <chrono>
#include <cstdint>

namespace tesela::base {

/// Unix time in milliseconds.
[[nodiscard]] inline std::int64_t unix_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace tesela::base
