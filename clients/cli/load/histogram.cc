#include "clients/cli/load/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tesela::cli {

// Values below 2^kSubBits have a bucket each. Above, the leading bit chooses a row of 2^kSubBits
// buckets and the kSubBits bits after it choose the bucket.
std::size_t Histogram::bucket_of(std::uint64_t value) {
  if (value < (1U << kSubBits)) return value;
  const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - kSubBits;
  return ((std::size_t{shift} + 1) << kSubBits) + ((value >> shift) - (1U << kSubBits));
}

std::uint64_t Histogram::last_of(std::size_t bucket) {
  if (bucket < (1U << kSubBits)) return bucket;
  const std::size_t shift = (bucket >> kSubBits) - 1;
  const std::uint64_t leading = (bucket & ((1U << kSubBits) - 1)) + (1U << kSubBits);
  return ((leading + 1) << shift) - 1;
}

void Histogram::record(std::chrono::nanoseconds latency) {
  const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(latency.count(), 0));
  ++buckets_[bucket_of(value)];
  ++count_;
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < kBuckets; ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
}

std::chrono::nanoseconds Histogram::at(double quantile) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(quantile * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += buckets_[i];
    if (seen > 0 && seen >= wanted) return std::chrono::nanoseconds{last_of(i)};
  }
  return std::chrono::nanoseconds{0};
}

}  // namespace tesela::cli
