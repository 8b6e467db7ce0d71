// A histogram that costs a move little.
#pragma once

#include <prometheus/client_metric.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace tesela::metrics {

/// Counts values by buckets, as Prometheus has them, without a lock: every move adds to three
/// histograms, and prometheus-cpp's takes a mutex for each value. Any thread.
class Histogram {
 public:
  static constexpr std::size_t kBoundsMax = 15;

  /// `bounds` rise: the largest value of each bucket but the last. At most kBoundsMax.
  explicit Histogram(std::span<const double> bounds) : size_(bounds.size()) {
    bounds_.fill(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < size_; ++i) bounds_.at(i) = bounds[i];
  }

  void observe(double value) {
    std::size_t bucket = 0;
    for (const double bound : bounds_) bucket += bound < value ? 1 : 0;
    counts_[bucket].fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(value, std::memory_order_relaxed);
  }

  /// A value that is observed meanwhile may be in the sum and not in the count, or the reverse.
  [[nodiscard]] prometheus::ClientMetric collect() const {
    prometheus::ClientMetric metric;
    auto& out = metric.histogram;
    for (std::size_t i = 0; i <= size_; ++i) {
      out.sample_count += counts_.at(i).load(std::memory_order_relaxed);
      out.bucket.push_back({.cumulative_count = out.sample_count, .upper_bound = bounds_.at(i)});
    }
    out.sample_sum = sum_.load(std::memory_order_relaxed);
    return metric;
  }

 private:
  const std::size_t size_;
  std::array<double, kBoundsMax + 1> bounds_{};  // from `size_` on infinite
  std::array<std::atomic<std::uint64_t>, kBoundsMax + 1> counts_{};
  std::atomic<double> sum_{0};
};

}  // namespace tesela::metrics
