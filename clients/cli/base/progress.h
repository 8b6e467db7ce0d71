// A progress line, which is redrawn in place.
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>

namespace tesela::cli {

/// Draws at most ten times a second, and clears its line in the end. For one thread at a time.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// For `total` items called `what`. Draws nothing unless `shown`, as on a terminal. `out`
  /// outlives it.
  Progress(std::ostream& out, bool shown, std::uint64_t total, std::string what);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// One more item is done.
  void advance(Clock::time_point now = Clock::now());

 private:
  std::ostream& out_;
  bool shown_;
  std::uint64_t total_;
  std::string what_;
  std::uint64_t done_{0};
  Clock::time_point start_;
  Clock::time_point next_;  // the earliest time to draw again
};

/// "[#####---------------]  250 of 1000 games, 3 s left". `elapsed` is the time for `done` items.
[[nodiscard]] std::string progress_line(std::uint64_t done, std::uint64_t total,
                                        const std::string& what,
                                        std::chrono::duration<double> elapsed);

}  // namespace tesela::cli
