// Whether the process may take more memory: new connections and tables are refused before the
// system ends it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tesela::quota {

/// Any thread.
class MemoryRoom {
 public:
  /// `max` bytes of resident memory; 0: no limit.
  explicit MemoryRoom(std::uint64_t max) : max_(max) {}

  /// False from kFull of the limit on until memory has fallen to kFree of it. Looks once in a
  /// while, and says so in the log when that changes.
  [[nodiscard]] bool left();

 private:
  void look();

  static constexpr double kFull = 0.85;
  static constexpr double kFree = 0.8;

  const std::uint64_t max_;
  std::atomic<std::chrono::steady_clock::rep> looked_{};
  std::atomic<bool> left_{true};
};

}  // namespace tesela::quota
