#include "server/base/day.h"

#include <gtest/gtest.h>

namespace tesela::ops {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

TEST(Day, BeginsAtMidnight) {
  constexpr std::int64_t kDayMs = 86'400'000;
  EXPECT_EQ(base::day_of(0), sys_days{});
  EXPECT_EQ(base::day_of(kDayMs - 1), sys_days{});
  EXPECT_EQ(base::day_of(kDayMs), sys_days{days{1}});
  EXPECT_EQ(base::day_of(-1), sys_days{days{-1}});
}

TEST(Day, IsReadAsItIsWritten) {
  for (const char* text : {"1970-01-01", "2024-02-29", "2026-11-21", "9999-12-31"}) {
    const auto day = base::parse_date(text);
    ASSERT_TRUE(day) << text;
    EXPECT_EQ(base::date_text(*day), text);
  }
  EXPECT_EQ(base::parse_date("2026-11-21"), base::day_of(1'795'219'200'000));
}

TEST(Day, NothingElseIsADate) {
  for (const char* text :
       {"", "2026-11-2", "2026-1-021", "2026-02-29", "2026-13-01", "2026-00-10", "2026-11-31",
        "1969-12-31", "2026/11/21", "2026-11-21 ", "+026-11-21", "2026--1-21", "today"}) {
    EXPECT_FALSE(base::parse_date(text)) << text;
  }
}

}  // namespace
}  // namespace tesela::ops
