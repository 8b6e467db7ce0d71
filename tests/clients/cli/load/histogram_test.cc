#include "clients/cli/load/histogram.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace tesela::cli {
namespace {

using std::chrono::nanoseconds;

TEST(Histogram, IsZeroWhileNothingWasRecorded) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.at(0.99), nanoseconds{0});
}

TEST(Histogram, SmallLatenciesAreExact) {
  Histogram histogram;
  for (int i = 1; i <= 50; ++i) histogram.record(nanoseconds{i});
  EXPECT_EQ(histogram.at(0.5), nanoseconds{25});
  EXPECT_EQ(histogram.at(1.0), nanoseconds{50});
}

TEST(Histogram, EveryLatencyIsKnownToBetterThanOnePartIn64) {
  for (std::int64_t value = 1; value < std::numeric_limits<std::int64_t>::max() / 3; value *= 3) {
    Histogram histogram;
    histogram.record(nanoseconds{value});
    const std::int64_t known = histogram.at(0.5).count();
    EXPECT_GE(known, value);
    EXPECT_LE(known - value, value / 64) << value;
  }
}

TEST(Histogram, TheLongestAndTheNegativeAreCountedToo) {
  Histogram histogram;
  histogram.record(nanoseconds{-5});
  EXPECT_EQ(histogram.at(1.0), nanoseconds{0});
  histogram.record(nanoseconds::max());
  EXPECT_EQ(histogram.at(1.0), nanoseconds::max());
}

TEST(Histogram, ATailOfOneInAThousandShowsAtP999AndNotAtP99) {
  Histogram histogram;
  for (int i = 0; i < 998; ++i) histogram.record(nanoseconds{10});
  for (int i = 0; i < 2; ++i) histogram.record(nanoseconds{60});
  EXPECT_EQ(histogram.at(0.99), nanoseconds{10});
  EXPECT_EQ(histogram.at(0.999), nanoseconds{60});
}

TEST(Histogram, MergingIsRecordingBoth) {
  Histogram one, other;
  for (int i = 0; i < 10; ++i) one.record(nanoseconds{1});
  for (int i = 0; i < 30; ++i) other.record(nanoseconds{2});
  one.merge(other);
  EXPECT_EQ(one.count(), 40U);
  EXPECT_EQ(one.at(0.25), nanoseconds{1});
  EXPECT_EQ(one.at(0.26), nanoseconds{2});
}

}  // namespace
}  // namespace tesela::cli
