#include "clients/cli/base/time_text.h"

#include <gtest/gtest.h>

namespace tesela::cli {
namespace duration_text_test {

using std::chrono::microseconds;

TEST(DurationText, ANumberAndItsUnit) {
  EXPECT_EQ(read_duration("20us"), microseconds{20});
  EXPECT_EQ(read_duration("250ms"), microseconds{250'000});
  EXPECT_EQ(read_duration("1.5s"), microseconds{1'500'000});
  EXPECT_EQ(read_duration("2min"), microseconds{120'000'000});
}

TEST(DurationText, WhatIsWrongIsSaid) {
  for (const char* text :
       {"", "5", "s", "0s", "-1s", "1 s", "1h", "1e9min", "infs", "nans", "0.1us", "1s "}) {
    const auto read = read_duration(text);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_EQ(read.error().message,
              "'" + std::string{text} +
                  "' is not a time from 1us to a day, such as 250ms, 1.5s or 2min.");
  }
}

}  // namespace duration_text_test
}  // namespace tesela::cli
