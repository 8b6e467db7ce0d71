#include <gtest/gtest.h>

#include <chrono>

#include "server/base/clock.h"

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

using namespace std::chrono_literals;

TEST(Duration, EveryUnitIsRead) {
  EXPECT_EQ(base::parse_duration("500ms"), 500ms);
  EXPECT_EQ(base::parse_duration("15s"), 15s);
  EXPECT_EQ(base::parse_duration("2m"), 2min);
  EXPECT_EQ(base::parse_duration("1h"), 1h);
  EXPECT_EQ(base::parse_duration("30d"), 24h * 30);
  EXPECT_EQ(base::parse_duration("0s"), 0s);
}

TEST(Duration, WhatIsNoDurationIsRefusedWithWhatWouldBeRight) {
  for (const char* text :
       {"", "15", "s", "1.5s", "-1s", "1 s", "1w", "1sx", "99999999999999999999s"}) {
    const auto refused = base::parse_duration(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(refused.error().message.find("such as 15s"), std::string::npos) << text;
  }
}

TEST(Duration, MoreThanAHundredYearsIsRefusedAndDoesNotOverflow) {
  EXPECT_TRUE(base::parse_duration("36500d"));
  EXPECT_FALSE(base::parse_duration("36501d"));
  EXPECT_FALSE(base::parse_duration("9223372036854775807d"));
}

TEST(Duration, TextIsInTheLargestUnitThatFits) {
  EXPECT_EQ(base::duration_text(24h * 30), "30d");
  EXPECT_EQ(base::duration_text(90s), "90s");
  EXPECT_EQ(base::duration_text(120s), "2m");
  EXPECT_EQ(base::duration_text(1500ms), "1500ms");
  EXPECT_EQ(base::duration_text(0ms), "0s");
}

}  // namespace
}  // namespace tesela::ops
