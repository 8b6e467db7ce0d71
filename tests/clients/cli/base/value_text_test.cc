#include <gtest/gtest.h>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace seed_text_test {

TEST(SeedText, SixtyFourDigitsAreTheBytes) {
  const Seed seed = read_seed("000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F");
  for (std::size_t i = 0; i < seed.size(); ++i) {
    EXPECT_EQ(seed[i], i);
  }
  EXPECT_EQ(read_seed(to_text(seed)), seed);
}

TEST(SeedText, OfAnyOtherTextItIsTheSha256) {
  // The examples of FIPS 180-2, appendix B.1, and the hash of nothing.
  EXPECT_EQ(to_text(read_seed("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_text(read_seed("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  const std::string almost_digits = std::string(63, '0') + "g";
  EXPECT_NE(read_seed(almost_digits), Seed{});
}

TEST(SeedText, RandomSeedsDiffer) {
  EXPECT_NE(random_seed(), random_seed());
}

}  // namespace seed_text_test
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
