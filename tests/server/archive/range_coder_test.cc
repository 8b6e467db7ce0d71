#include "server/archive/range_coder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "server/archive/models.h"

namespace tesela::archive {
namespace {

struct Bit {
  std::uint32_t chance;
  bool value;
};

std::vector<Bit> random_bits(std::mt19937_64& random, std::size_t count) {
  std::vector<Bit> bits;
  for (std::size_t i = 0; i < count; ++i) {
    const auto chance =
        static_cast<std::uint32_t>(random() % 3 == 0 ? 1 + random() % 4095 : 4095 - random() % 3);
    bits.push_back({.chance = chance, .value = random() % 4096 < chance});
  }
  return bits;
}

TEST(RangeCoder, BitsComeBackAndTheirNumberOfBytesIsKnown) {
  std::mt19937_64 random(testing::UnitTest::GetInstance()->random_seed());
  for (std::size_t count = 0; count < 400; ++count) {
    const auto bits = random_bits(random, count);
    RangeEncoder encoder;
    for (const Bit& bit : bits) EXPECT_EQ(encoder.bit(bit.chance, bit.value), bit.value);
    const std::string bytes = encoder.finish();
    RangeDecoder decoder(bytes);
    for (const Bit& bit : bits) ASSERT_EQ(decoder.bit(bit.chance, false), bit.value) << count;
    EXPECT_TRUE(decoder.at_end()) << count;
    EXPECT_FALSE(decoder.overrun()) << count;
  }
}

// A carry runs through every byte of 255 before it.
TEST(RangeCoder, ACarryReachesBytesThatWereHeldBack) {
  std::mt19937_64 random(1);
  for (int game = 0; game < 2000; ++game) {
    RangeEncoder encoder;
    std::vector<Bit> bits(64, Bit{.chance = 1, .value = false});
    for (std::size_t i = 0; i < 8; ++i) bits[random() % bits.size()] = {.chance = 1, .value = true};
    for (const Bit& bit : bits) encoder.bit(bit.chance, bit.value);
    const std::string bytes = encoder.finish();
    RangeDecoder decoder(bytes);
    for (const Bit& bit : bits) ASSERT_EQ(decoder.bit(bit.chance, false), bit.value);
    ASSERT_TRUE(decoder.at_end());
  }
}

TEST(RangeCoder, AnyBytesAreRead) {
  std::mt19937_64 random(2);
  for (std::size_t size = 0; size < 40; ++size) {
    std::string bytes;
    while (bytes.size() < size) bytes += static_cast<char>(random());
    RangeDecoder decoder(bytes);
    for (int i = 0; i < 10'000; ++i) {
      decoder.bit(1 + static_cast<std::uint32_t>(random() % 4095), false);
    }
    EXPECT_TRUE(decoder.overrun());
    EXPECT_FALSE(decoder.at_end());
  }
}

TEST(BitModel, WhatNeverChangesCostsAlmostNothing) {
  BitModel model;
  EXPECT_EQ(model.chance(), 2048);
  for (int i = 0; i < 20; ++i) model.learn(true);
  EXPECT_GT(model.chance(), 3900);
  for (int i = 0; i < 20'000; ++i) model.learn(true);
  EXPECT_EQ(model.chance(), 4095);
  for (int i = 0; i < 20'000; ++i) model.learn(false);
  EXPECT_EQ(model.chance(), 1);
  EXPECT_EQ(model.seen(), 255);
}

TEST(BitModel, TheChanceIsTheFrequency) {
  std::mt19937_64 random(3);
  BitModel model;
  for (int i = 0; i < 2000; ++i) model.learn(random() % 4 == 0);
  EXPECT_NEAR(model.chance(), 1024, 300);
}

TEST(NumberModel, EveryNumberComesBack) {
  std::vector<std::uint64_t> numbers{0, 1, 2, 3, ~std::uint64_t{0}};
  for (unsigned shift = 0; shift < 64; ++shift) {
    const std::uint64_t power = std::uint64_t{1} << shift;
    for (const std::uint64_t number : {power - 1, power, power + 1}) numbers.push_back(number);
  }
  RangeEncoder encoder;
  NumberModel written;
  for (const std::uint64_t number : numbers) EXPECT_EQ(written.code(encoder, number), number);
  const std::string bytes = encoder.finish();
  RangeDecoder decoder(bytes);
  NumberModel read;
  for (const std::uint64_t number : numbers) EXPECT_EQ(read.code(decoder, 0), number);
  EXPECT_TRUE(decoder.at_end());
}

TEST(NumberModel, ADifferenceFoldsToASmallNumber) {
  EXPECT_EQ(folded(0), 0);
  EXPECT_EQ(folded(static_cast<std::uint64_t>(-1)), 1);
  EXPECT_EQ(folded(1), 2);
  EXPECT_EQ(folded(static_cast<std::uint64_t>(-2)), 3);
  for (const std::uint64_t difference :
       {std::uint64_t{0}, std::uint64_t{1} << 63U, ~std::uint64_t{0}, std::uint64_t{12345}}) {
    EXPECT_EQ(unfolded(folded(difference)), difference);
  }
}

}  // namespace
}  // namespace tesela::archive
