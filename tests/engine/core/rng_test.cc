#include "engine/core/rng.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <ranges>
#include <vector>

#include "tests/engine/seeds.h"

namespace tesela {
namespace {

using test::dice;
using test::seed_of;

TEST(Rng, WordsAreTheBlocksOfTheCipherInOrder) {
  const ChaChaKey key = chacha20_key(seed_of(7));
  Rng rng{seed_of(7)};
  for (std::uint32_t block = 0; block < 40; ++block) {
    for (const std::uint32_t word : chacha20_block(key, block, {})) {
      ASSERT_EQ(rng.word(), word) << "block " << block;
    }
  }
  EXPECT_EQ(rng.consumed(), 40U * kChaChaBlockWords);
}

TEST(Rng, CopyGoesOnWithTheSameDraws) {
  Rng rng = dice(1);
  for (int i = 0; i < 300; ++i) {
    (void)rng.word();
  }
  Rng copy = rng;
  EXPECT_EQ(copy, rng);
  for (int i = 0; i < 600; ++i) {
    ASSERT_EQ(copy.uniform(1000), rng.uniform(1000));
  }
  (void)copy.word();
  EXPECT_NE(copy, rng);
}

TEST(Rng, GoesOnFromAnyPlace) {
  const Rng begin{seed_of(3)};
  for (const int words : {0, 1, 15, 16, 17, 255, 256, 257, 700}) {
    Rng drawn = begin;
    for (int i = 0; i < words; ++i) static_cast<void>(drawn.word());
    Rng again{drawn.place()};
    EXPECT_EQ(again, drawn);
    EXPECT_EQ(again.consumed(), static_cast<std::uint64_t>(words));
    for (int i = 0; i < 600; ++i) ASSERT_EQ(again.word(), drawn.word()) << words << ", " << i;
    EXPECT_EQ(again.consumed(), static_cast<std::uint64_t>(words) + 600);
  }
}

TEST(Rng, ABlockThatWasKeptChangesNoDraw) {
  const Rng begin{seed_of(3)};
  for (const int words : {0, 1, 15, 16, 17, 31, 32, 255, 256, 257, 700}) {
    Rng drawn = begin;
    for (int i = 0; i < words; ++i) static_cast<void>(drawn.word());
    // Two words a move, each by new dice; blocks are kept, but for some.
    Rng::Place place = drawn.place();
    Rng::Block block = drawn.block();
    for (int move = 0; move < 100; ++move) {
      Rng again{place, move % 7 == 6 ? Rng::Block{} : block};
      ASSERT_EQ(again, drawn);
      for (int i = 0; i < 2; ++i) ASSERT_EQ(again.word(), drawn.word()) << words << ", " << move;
      if (move == 50) {
        for (int i = 0; i < 300; ++i) ASSERT_EQ(again.word(), drawn.word()) << words;
      }
      place = again.place();
      block = again.block();
    }
  }
}

TEST(Rng, OnlyABlockOfTheSamePlaceIsTaken) {
  Rng drawn{seed_of(3)};
  for (int i = 0; i < 40; ++i) static_cast<void>(drawn.word());
  const Rng::Block earlier = Rng{{.key = chacha20_key(seed_of(3)), .consumed = 0}}.block();
  EXPECT_FALSE(earlier.counter);
  Rng one{{.key = chacha20_key(seed_of(3)), .consumed = 3}};
  static_cast<void>(one.word());
  EXPECT_EQ(one.block().counter, 0U);
  Rng again{drawn.place(), one.block()};
  for (int i = 0; i < 100; ++i) ASSERT_EQ(again.word(), drawn.word());
}

TEST(Rng, GoesOnWhereTheCounterOfTheCipherIsFull) {
  const ChaChaKey key = chacha20_key(seed_of(3));
  constexpr std::uint64_t kFirst = (std::uint64_t{1} << 32U) - 1;
  std::array<std::uint32_t, kChaChaBatchWords> words{};
  chacha20_batch(key, kFirst, widest_chacha_lanes(), words);
  for (const std::size_t skipped : {0U, 15U, 16U}) {
    Rng rng{{.key = key, .consumed = kFirst * kChaChaBlockWords + skipped}};
    for (std::size_t i = skipped; i < words.size(); ++i) ASSERT_EQ(rng.word(), words[i]) << i;
  }
}

TEST(Rng, EqualOnlyWithTheSameSeed) {
  EXPECT_NE(dice(1), dice(2));
}

// The draws that old logs replay by: if this test fails, the change breaks every stored game. The
// words are those of RFC 8439, appendix A.1, test vector 1.
TEST(RngUniform, DrawsAreForever) {
  Rng rng = dice(0);
  std::vector<std::uint32_t> drawn;
  for (const std::uint32_t n : {1U, 2U, 3U, 6U, 16U, 100U, 1000U, 1U << 31, 0xffffffffU}) {
    drawn.push_back(rng.uniform(n));
  }
  EXPECT_THAT(drawn, testing::ElementsAre(0, 1, 2, 0, 11, 10, 800, 1669774277, 2086224345));
  EXPECT_EQ(rng.consumed(), 9U);
}

/// What the contract says of one draw, computed in the plainest way from the words to come.
struct Expected {
  std::uint32_t value;
  std::uint64_t words;
};
Expected by_contract(Rng words, std::uint32_t n) {
  const std::uint64_t reject_below = (std::uint64_t{1} << 32) % n;
  for (std::uint64_t count = 1;; ++count) {
    const std::uint64_t product = std::uint64_t{words.word()} * n;
    if (product % (std::uint64_t{1} << 32) >= reject_below) {
      return {static_cast<std::uint32_t>(product >> 32), count};
    }
  }
}

TEST(RngUniform, ConsumesAndAnswersAsTheContractSays) {
  Rng rng = dice(3);
  // 2^31 + 1 throws away nearly half of the words, 3 * 2^30 a quarter.
  for (const std::uint32_t n : {1U, 3U, 5U, 1000U, 0x80000001U, 0xc0000000U, 0xffffffffU}) {
    for (int i = 0; i < 2000; ++i) {
      const Expected expected = by_contract(rng, n);
      const std::uint64_t before = rng.consumed();
      ASSERT_EQ(rng.uniform(n), expected.value) << n;
      ASSERT_EQ(rng.consumed() - before, expected.words) << n;
    }
  }
}

TEST(RngUniform, ThrowsAwayExactlyTheSurplusOfWords) {
  // Of the 2^32 words, (2^32 mod n) are thrown away: here 2^31 - 1, so half of the draws take more.
  Rng rng = dice(4);
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    (void)rng.uniform(0x80000001U);
  }
  EXPECT_NEAR(static_cast<double>(rng.consumed()) / kDraws, 2.0, 0.02);
}

/// Pearson's statistic, in standard deviations from its mean (Wilson and Hilferty's approximation).
double chi_square_deviation(const std::vector<int>& counts, double expected) {
  double chi_square = 0;
  for (const int count : counts) {
    chi_square += (count - expected) * (count - expected) / expected;
  }
  const double freedom = static_cast<double>(counts.size()) - 1;
  const double variance = 2 / (9 * freedom);
  return (std::cbrt(chi_square / freedom) - (1 - variance)) / std::sqrt(variance);
}

TEST(RngUniform, EveryNumberIsAsLikely) {
  Rng rng = dice(5);
  for (const std::uint32_t n : {2U, 3U, 4U, 5U, 7U, 10U, 16U, 25U, 64U, 100U, 1000U}) {
    constexpr int kDrawsEach = 1000;
    std::vector<int> counts(n);
    for (std::uint32_t i = 0; i < n * kDrawsEach; ++i) {
      ++counts.at(rng.uniform(n));
    }
    EXPECT_LT(std::abs(chi_square_deviation(counts, kDrawsEach)), 4) << n;
  }
}

TEST(RngShuffle, DrawsFromTheLastPlaceDown) {
  Rng rng = dice(6);
  std::vector<int> expected(20);
  std::ranges::copy(std::views::iota(0, 20), expected.begin());
  std::vector<int> items = expected;
  Rng draws = rng;
  for (std::size_t i = expected.size() - 1; i >= 1; --i) {
    std::swap(expected[i], expected[draws.uniform(static_cast<std::uint32_t>(i + 1))]);
  }
  rng.shuffle(items);
  EXPECT_EQ(items, expected);
  EXPECT_EQ(rng, draws);
}

TEST(RngShuffle, OneItemOrNoneTakesNoDraw) {
  Rng rng = dice(6);
  std::vector<int> none;
  rng.shuffle(none);
  std::vector<int> one{1};
  rng.shuffle(one);
  EXPECT_EQ(rng.consumed(), 0U);
}

TEST(RngShuffle, EveryOrderIsAsLikely) {
  Rng rng = dice(8);
  constexpr int kShufflesEach = 1000;
  std::map<std::vector<int>, int> seen;
  for (int i = 0; i < 24 * kShufflesEach; ++i) {
    std::vector<int> items{1, 2, 3, 4};
    rng.shuffle(items);
    ++seen[items];
  }
  std::vector<int> counts;
  counts.reserve(seen.size());
  for (const auto& [order, count] : seen) {
    counts.push_back(count);
  }
  ASSERT_EQ(counts.size(), 24U);
  EXPECT_LT(std::abs(chi_square_deviation(counts, kShufflesEach)), 4);
}

}  // namespace
}  // namespace tesela
