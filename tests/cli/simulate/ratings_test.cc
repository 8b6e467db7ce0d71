#include "clients/cli/simulate/ratings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tesela::cli {
namespace ratings_test {

TEST(PairScores, AGameGivesAPointToWhoeverCameBefore) {
  PairScores scores{4};
  scores.add_ranks(std::array<std::uint8_t, 3>{3, 0, 1}, std::array<std::uint8_t, 3>{1, 2, 2});
  EXPECT_EQ(scores.points(3, 0), 1.0);
  EXPECT_EQ(scores.points(0, 3), 0.0);
  EXPECT_EQ(scores.points(0, 1), 0.5);
  EXPECT_EQ(scores.met(0, 1), 1.0);
  EXPECT_EQ(scores.met(2, 3), 0.0);
}

/// Of two bots, of whom the first won `won` games of `games`.
PairScores duel(double won, double games) {
  PairScores scores{2};
  scores.add(0, 1, won);
  scores.add(1, 0, games - won);
  return scores;
}

TEST(Ratings, TenTimesAsOftenIsFourHundred) {
  const auto elo = elo_of(duel(9999.5, 10999));  // with the additional tie 10000 to 1000
  EXPECT_NEAR(elo[0] - elo[1], 400, 0.01);
  EXPECT_NEAR(elo[0] + elo[1], 0, 1e-6);
}

TEST(Ratings, WhoAlwaysLostHasARatingToo) {
  const auto elo = elo_of(duel(100, 100));
  EXPECT_NEAR(elo[0] - elo[1], 400 * std::log10(201), 0.01) << "100.5 to 0.5";
}

// Strengths 4 : 2 : 1, and as many games as they say.
TEST(Ratings, RecoverTheStrengthsThatMadeTheScores) {
  constexpr std::array kStrengths{4.0, 2.0, 1.0};
  PairScores scores{3};
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      if (a != b) scores.add(a, b, 1e6 * kStrengths[a] / (kStrengths[a] + kStrengths[b]));
    }
  }
  const auto elo = elo_of(scores);
  EXPECT_NEAR(elo[0] - elo[1], 400 * std::log10(2), 0.01);
  EXPECT_NEAR(elo[1] - elo[2], 400 * std::log10(2), 0.01);
}

/// Deals of one game each, which the first bot wins with the given chance.
std::vector<Rating> rated(int deals, std::uint32_t per_cent, std::uint8_t seed) {
  Rng rng{Seed{seed}};
  std::vector<PairScores> all;
  for (int deal = 0; deal < deals; ++deal) all.push_back(duel(rng.uniform(100) < per_cent, 1));
  return rate(all, rng);
}

// A share of 0.6 is 70.4 points; of 100 games its standard error is 0.049, 35 points.
TEST(Ratings, IntervalsHoldTheTruthAboutNineteenTimesOfTwenty) {
  int held = 0;
  double width = 0;
  for (std::uint8_t seed = 0; seed < 200; ++seed) {
    const Rating rating = rated(100, 60, seed)[0];
    held += rating.low <= 35.2 && 35.2 <= rating.high ? 1 : 0;
    width += (rating.high - rating.low) / 200;
    EXPECT_LE(rating.low, rating.elo);
    EXPECT_GE(rating.high, rating.elo);
  }
  EXPECT_GE(held, 180);
  EXPECT_LT(held, 200);
  EXPECT_NEAR(width, 2 * 1.96 * 35.5 / 2, 5) << "half of the difference belongs to each";
}

}  // namespace ratings_test
}  // namespace tesela::cli
