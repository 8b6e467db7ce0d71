// What a thread of `tesela load` has counted. The thread writes, and the main thread reads the
// atomics for its progress lines; the histogram is read when the thread has ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "clients/cli/load/histogram.h"

namespace tesela::cli {

/// Where a run stands. Set by the main thread alone.
enum class LoadPhase : std::uint8_t { kWarmUp, kMeasure, kStop };

struct LoadTally {
  /// Counts an error, and prints it on standard error if it is among the thread's first few.
  void error(std::string_view why);

  Histogram latencies;                   // of what was measured
  std::atomic<std::uint64_t> moves{0};   // measured
  std::atomic<std::uint64_t> errors{0};  // of the whole run
  std::atomic<std::uint64_t> open{0};    // connections that have been ready to play
};

}  // namespace tesela::cli
