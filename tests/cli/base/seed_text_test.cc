#include "clients/cli/base/seed_text.h"

#include <gtest/gtest.h>

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
}  // namespace tesela::cli
