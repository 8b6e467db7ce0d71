// Counts latencies in buckets whose width grows with their value: every percentile has an error
// below 1/64, and the memory is fixed. The idea is HdrHistogram's.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tesela::cli {

/// For one thread; the histograms of several threads can be merged.
class Histogram {
 public:
  void record(std::chrono::nanoseconds latency) {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(latency.count(), 0));
    ++buckets_[bucket_of(value)];
    ++count_;
  }

  void merge(const Histogram& other) {
    for (std::size_t i = 0; i < kBuckets; ++i) buckets_[i] += other.buckets_[i];
    count_ += other.count_;
  }

  void clear() { *this = Histogram{}; }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The latency that `quantile` (0..1) of those recorded do not exceed, rounded up to the end of
  /// its bucket; zero when nothing was recorded.
  [[nodiscard]] std::chrono::nanoseconds at(double quantile) const {
    const auto wanted =
        static_cast<std::uint64_t>(std::ceil(quantile * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
      seen += buckets_[i];
      if (seen > 0 && seen >= wanted) return std::chrono::nanoseconds{last_of(i)};
    }
    return std::chrono::nanoseconds{0};
  }

 private:
  static constexpr unsigned kSubBits = 6;  // 64 buckets for each power of two
  static constexpr std::size_t kBuckets = (64 - kSubBits + 1) << kSubBits;

  // Values below 2^kSubBits have a bucket each. Above, the leading bit chooses a row of 2^kSubBits
  // buckets and the kSubBits bits after it choose the bucket.
  static std::size_t bucket_of(std::uint64_t value) {
    if (value < (1U << kSubBits)) return value;
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - kSubBits;
    return ((std::size_t{shift} + 1) << kSubBits) + ((value >> shift) - (1U << kSubBits));
  }

  static std::uint64_t last_of(std::size_t bucket) {
    if (bucket < (1U << kSubBits)) return bucket;
    const std::size_t shift = (bucket >> kSubBits) - 1;
    const std::uint64_t leading = (bucket & ((1U << kSubBits) - 1)) + (1U << kSubBits);
    return ((leading + 1) << shift) - 1;
  }

  std::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
};

}  // namespace tesela::cli
