#include "server/base/seldom_log.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "server/base/limits.h"

namespace tesela::ops {
namespace {

using namespace std::chrono_literals;

TEST(SeldomLog, LogsOnceInAWhileAndCountsWhatItLeavesOut) {
  base::SeldomLog lines;
  const base::SeldomLog::Time begin{24h};
  EXPECT_EQ(lines.take(begin), 0U);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(lines.take(begin + 1ms), std::nullopt);
  EXPECT_EQ(lines.take(begin + limits::kStrangerLogPause - 1ns), std::nullopt);
  EXPECT_EQ(lines.take(begin + limits::kStrangerLogPause), 6U);
  EXPECT_EQ(lines.take(begin + limits::kStrangerLogPause), std::nullopt);
  EXPECT_EQ(lines.take(begin + 10 * limits::kStrangerLogPause), 1U);
}

}  // namespace
}  // namespace tesela::ops
