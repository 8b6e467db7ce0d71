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
  const auto elo = elo_of(duel(9999.5, 10999), 10999);  // with a tie 10000 to 1000
  EXPECT_NEAR(elo[0] - elo[1], 400, 0.01);
  EXPECT_NEAR(elo[0] + elo[1], 0, 1e-6);
}

TEST(Ratings, WhoAlwaysLostHasARatingToo) {
  const auto elo = elo_of(duel(100, 100), 100);
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
  const auto elo = elo_of(scores, 1'000'000);
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
  constexpr int kTournaments = 80;
  for (std::uint8_t seed = 0; seed < kTournaments; ++seed) {
    const Rating rating = rated(100, 60, seed)[0];
    const auto [low, high] = rating.interval.value();
    held += low <= 35.2 && 35.2 <= high ? 1 : 0;
    width += (high - low) / kTournaments;
    EXPECT_LE(low, rating.elo);
    EXPECT_GE(high, rating.elo);
  }
  EXPECT_GE(held, 0.9 * kTournaments);
  EXPECT_LT(held, kTournaments);
  EXPECT_NEAR(width, 2 * 1.96 * 35.5 / 2, 5) << "half of the difference belongs to each";
}

/// The part of the wins that the difference of two ratings says, each the negative of the other.
double share_of(double elo) {
  return 1 / (1 + std::pow(10, -2 * elo / 400));
}

// Jeffreys' interval of the share of 20 wins in 20: the 2.5 % and 97.5 % quantiles of Beta(20.5,
// 0.5) are 0.8844 and 0.99998.
TEST(Ratings, OneSidedResultsHaveAnIntervalToo) {
  const Rating rating = rated(20, 100, 1)[0];
  const auto [low, high] = rating.interval.value();
  EXPECT_NEAR(share_of(low), 0.8844, 0.02);
  EXPECT_GT(share_of(high), 0.9999);
  EXPECT_LT(low, rating.elo);
  EXPECT_LT(rating.elo, high);
}

// Where the second bot wins one game of twenty, 20 deals are often all won by the first.
TEST(Ratings, IntervalsOfAlmostOneSidedResultsHoldTheTruthAsOften) {
  int held = 0;
  constexpr int kTournaments = 80;
  for (std::uint8_t seed = 0; seed < kTournaments; ++seed) {
    const auto [low, high] = rated(20, 95, seed)[0].interval.value();
    held += share_of(low) <= 0.95 && 0.95 <= share_of(high) ? 1 : 0;
  }
  EXPECT_GE(held, 0.9 * kTournaments);
}

// Of 20 deals, all of whose games the first bot won: games of one deal add nothing.
TEST(Ratings, ADealIsOneObservationHoweverManyGamesItHas) {
  const auto rating = [](double games) {
    Rng rng{Seed{3}};
    return rate(std::vector<PairScores>(20, duel(games, games)), rng)[0];
  };
  EXPECT_NEAR(rating(1).elo, rating(50).elo, 0.001);
  EXPECT_NEAR(rating(1).interval->low, rating(50).interval->low, 0.001);
  EXPECT_NEAR(rating(1).interval->high, rating(50).interval->high, 0.001);
}

constexpr std::size_t kLadderDeals = 20;
constexpr double kLadderGap = 200;

/// The rating of a bot of a ladder, on which each is stronger than the next one by the gap.
double truth_of(std::size_t bot, std::size_t bots) {
  return kLadderGap * (static_cast<double>(bots - 1) / 2 - static_cast<double>(bot));
}

/// Of deals in which each pair of the ladder plays two games.
std::vector<Rating> ladder_rated(std::size_t bots, std::uint8_t seed) {
  constexpr std::uint32_t kParts = 1'000'000;
  Rng rng{Seed{seed}};
  std::vector<PairScores> deals(kLadderDeals, PairScores{bots});
  for (PairScores& deal : deals) {
    for (std::size_t one = 0; one < bots; ++one) {
      for (std::size_t other = one + 1; other < bots; ++other) {
        const double chance = share_of((truth_of(one, bots) - truth_of(other, bots)) / 2);
        for (int game = 0; game < 2; ++game) {
          const bool won = rng.uniform(kParts) < chance * kParts;
          deal.add(won ? one : other, won ? other : one, 1);
        }
      }
    }
  }
  return rate(deals, rng);
}

class Ladder : public testing::TestWithParam<std::size_t> {};

// The more bots, the more pairs are one-sided, and the more invented deals there are.
TEST_P(Ladder, IntervalsOfManyBotsFarApartHoldTheTruthAsOften) {
  constexpr int kTournaments = 20;
  const std::size_t bots = GetParam();
  int held = 0;
  int top_held = 0;
  for (std::uint8_t seed = 0; seed < kTournaments; ++seed) {
    const std::vector<Rating> ratings = ladder_rated(bots, seed);
    for (std::size_t bot = 0; bot < bots; ++bot) {
      const auto [low, high] = ratings[bot].interval.value();
      const bool holds = low <= truth_of(bot, bots) && truth_of(bot, bots) <= high;
      held += holds ? 1 : 0;
      top_held += holds && bot == 0 ? 1 : 0;
      EXPECT_LT(low, ratings[bot].elo);
      EXPECT_LT(ratings[bot].elo, high);
    }
  }
  EXPECT_GE(held, 0.88 * kTournaments * static_cast<double>(bots));
  EXPECT_GE(top_held, 0.88 * kTournaments);
}

INSTANTIATE_TEST_SUITE_P(Ratings, Ladder, testing::Values(6, 8));

TEST(Ratings, FewDealsHaveNoInterval) {
  EXPECT_FALSE(rated(9, 60, 1)[0].interval.has_value());
  EXPECT_TRUE(rated(10, 60, 1)[0].interval.has_value());
}

// In a chain of bots of which each beats all after it, nothing but the invented deals bounds the
// differences.
TEST(Ratings, ManyBotsWithOneSidedResultsHaveFiniteIntervals) {
  PairScores deal{8};
  for (std::size_t one = 0; one < 8; ++one) {
    for (std::size_t other = one + 1; other < 8; ++other) deal.add(one, other, 2);
  }
  Rng rng{Seed{5}};
  const std::vector<Rating> ratings = rate(std::vector<PairScores>(30, deal), rng);
  for (std::size_t bot = 0; bot < 8; ++bot) {
    const auto [low, high] = ratings[bot].interval.value();
    EXPECT_TRUE(std::isfinite(low) && std::isfinite(high));
    EXPECT_LT(low, ratings[bot].elo);
    EXPECT_LT(ratings[bot].elo, high);
    EXPECT_LT(ratings[bot].elo, bot == 0 ? high : ratings[bot - 1].elo);
  }
}

}  // namespace ratings_test
}  // namespace tesela::cli
