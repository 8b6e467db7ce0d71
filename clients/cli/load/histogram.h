// Counts latencies in buckets whose width grows with their value, so that every percentile is known
// to better than one part in 64, in a fixed piece of memory. The idea is HdrHistogram's.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tesela::cli {

/// One thread; merge the threads' histograms afterwards.
class Histogram {
 public:
  void record(std::chrono::nanoseconds latency);
  void merge(const Histogram& other);
  void clear() { *this = Histogram{}; }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The latency that `quantile` (0..1) of those recorded do not exceed, rounded up to the end of
  /// its bucket; zero when nothing was recorded.
  [[nodiscard]] std::chrono::nanoseconds at(double quantile) const;

 private:
  static constexpr unsigned kSubBits = 6;  // 64 buckets for each power of two
  static constexpr std::size_t kBuckets = (64 - kSubBits + 1) << kSubBits;

  static std::size_t bucket_of(std::uint64_t value);
  static std::uint64_t last_of(std::size_t bucket);

  std::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
};

}  // namespace tesela::cli
