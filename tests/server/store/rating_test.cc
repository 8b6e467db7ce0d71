#include "server/store/rating.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>

namespace tesela::matchmaking {
namespace {

using testing::ElementsAre;

// Two computations of the same in doubles.
constexpr double kEqual = 1e-9;

MATCHER_P2(Near, mu, sigma, "") {
  return std::abs(arg.mu - mu) < kEqual && std::abs(arg.sigma - sigma) < kEqual;
}

std::vector<store::Rated> newcomers(std::initializer_list<std::uint32_t> ranks) {
  std::vector<store::Rated> players;
  for (const std::uint32_t rank : ranks) players.push_back({store::kNewcomer, rank});
  return players;
}

// A player of the random games.
store::Rated drawn(std::mt19937& dice, std::uint32_t ranks) {
  std::normal_distribution<double> mu{25, 8.3};
  std::uniform_real_distribution<double> sigma{0.01, 25.0 / 3};
  std::uniform_int_distribution<std::uint32_t> rank{1, ranks};
  return {{mu(dice), sigma(dice)}, rank(dice)};
}

// A thousand games of two to four players.
template <class Check>
void for_random_games(Check check) {
  std::mt19937 dice{7};
  for (int game = 0; game < 1000; ++game) {
    std::vector<store::Rated> players;
    const auto size = static_cast<std::uint32_t>(2 + game % 3);
    for (std::uint32_t i = 0; i < size; ++i) players.push_back(drawn(dice, size));
    SCOPED_TRACE("game " + std::to_string(game));
    check(players, store::rate(players));
  }
}

// Without drift these are the values in openskill.js's tests of its model (plackett-luce.test.ts).
TEST(Rating, AgreesWithOpenSkillAmongNewcomersWithoutDrift) {
  const store::Assumptions still{.tau = 0};
  EXPECT_THAT(store::rate(newcomers({1, 2}), still),
              ElementsAre(Near(27.63523138347365, 8.065506316323548),
                          Near(22.36476861652635, 8.065506316323548)));
  EXPECT_THAT(store::rate(newcomers({1, 2, 3}), still),
              ElementsAre(Near(27.868876552746237, 8.204837030780652),
                          Near(25.717219138186557, 8.057829747583874),
                          Near(21.413904309067206, 8.057829747583874)));
  EXPECT_THAT(store::rate(newcomers({1, 2, 3, 4}), still),
              ElementsAre(Near(27.795084971874736, 8.263160757613477),
                          Near(26.552824984374855, 8.179213704945203),
                          Near(24.68943500312503, 8.083731307186588),
                          Near(20.96265504062538, 8.083731307186588)));
}

// The published values of openskill.js (rate.test.ts), the first ones those of openskill.py too.
TEST(Rating, AgreesWithOpenSkillAmongUnequalPlayers) {
  EXPECT_THAT(
      store::rate(std::vector<store::Rated>{
          {{29.182, 4.782}, 1}, {{27.174, 4.922}, 2}, {{16.672, 6.217}, 3}, {store::kNewcomer, 4}}),
      ElementsAre(
          Near(30.210227447000438, 4.765617924939384), Near(27.644725221915632, 4.883479590134575),
          Near(17.4036218889969, 6.101259408259549), Near(19.21460876538932, 7.854669920480409)));
  EXPECT_THAT(store::rate(std::vector<store::Rated>{{{25, 3}, 1}, {{25, 3}, 2}}, {.tau = 0.3}),
              ElementsAre(Near(25.624880438870754, 2.9879993738476953),
                          Near(24.375119561129246, 2.9879993738476953)));
}

TEST(Rating, AgreesWithOpenSkillWhereRanksAreShared) {
  EXPECT_THAT(store::rate(std::vector<store::Rated>{{{10, 8}, 1}, {{5, 10}, 2}, {{0, 12}, 2}}),
              ElementsAre(Near(11.942996666741225, 7.926888197620324),
                          Near(2.9381178546315034, 9.653804487570165),
                          Near(-1.4024317012198733, 11.323641575516767)));
  EXPECT_THAT(
      store::rate(std::vector<store::Rated>{
          {{15, 25.0 / 3}, 2}, {{20, 25.0 / 3}, 4}, {{25, 25.0 / 3}, 2}, {{30, 25.0 / 3}, 1}}),
      ElementsAre(
          Near(15.340043358359136, 8.213141619804967), Near(18.007678675484204, 8.189033933813437),
          Near(24.25801928251219, 8.166918055585525), Near(32.39425868364447, 8.247687230833794)));
}

// weng_lin.py derives them from the likelihood.
TEST(Rating, AgreesWithTheDerivativesOfTheLikelihood) {
  using nlohmann::json;
  std::ifstream file{"tests/server/store/weng_lin.jsonl"};
  int games = 0;
  for (std::string line; std::getline(file, line); ++games) {
    const json game = json::parse(line);
    std::vector<store::Rated> players;
    for (const json& p : game["players"]) players.push_back({{p["mu"], p["sigma"]}, p["rank"]});
    const std::vector<store::Rating> after = store::rate(players);
    ASSERT_EQ(after.size(), game["after"].size());
    for (std::size_t i = 0; i < after.size(); ++i) {
      const auto [mu, sigma] = game["after"][i].get<std::pair<double, double>>();
      EXPECT_THAT(after[i], Near(mu, sigma)) << line;
    }
  }
  EXPECT_EQ(games, 60);
}

TEST(Rating, ChangingSeatsChangesNothingElse) {
  for_random_games([](std::vector<store::Rated> players, const std::vector<store::Rating>& after) {
    std::ranges::reverse(players);
    const std::vector<store::Rating> reversed = store::rate(players);
    for (std::size_t i = 0; i < after.size(); ++i) {
      EXPECT_THAT(reversed[after.size() - 1 - i], Near(after[i].mu, after[i].sigma));
    }
  });
}

TEST(Rating, ATieOfEqualsTellsNothingAboutWhoIsBetter) {
  for (const auto& players : {newcomers({1, 1}), newcomers({1, 1, 1}), newcomers({1, 1, 1, 1})}) {
    for (const store::Rating& after : store::rate(players)) {
      EXPECT_NEAR(after.mu, store::kNewcomer.mu, kEqual);
      EXPECT_LT(after.sigma, store::kNewcomer.sigma);
    }
  }
}

TEST(Rating, TheSoleWinnerRisesAndTheSoleLastFalls) {
  for_random_games(
      [](const std::vector<store::Rated>& players, const std::vector<store::Rating>& after) {
        const auto [best, worst] = std::ranges::minmax(players, {}, &store::Rated::rank);
        const bool sole_best = std::ranges::count(players, best.rank, &store::Rated::rank) == 1;
        const bool sole_worst = std::ranges::count(players, worst.rank, &store::Rated::rank) == 1;
        for (std::size_t i = 0; i < players.size(); ++i) {
          if (sole_best && players[i].rank == best.rank) {
            EXPECT_GT(after[i].mu, players[i].before.mu);
          }
          if (sole_worst && players[i].rank == worst.rank) {
            EXPECT_LT(after[i].mu, players[i].before.mu);
          }
        }
      });
}

TEST(Rating, SigmaStaysBetweenWhatOneGameMayTakeAndANewcomers) {
  const double least = std::sqrt(store::Assumptions{}.kappa);
  for_random_games(
      [&](const std::vector<store::Rated>& players, const std::vector<store::Rating>& after) {
        for (std::size_t i = 0; i < players.size(); ++i) {
          EXPECT_LE(after[i].sigma, store::kNewcomer.sigma);
          EXPECT_GE(after[i].sigma, players[i].before.sigma * least);
        }
      });
}

TEST(Rating, AnExpectedResultTellsNothingAndTheDriftDoesNotPassANewcomers) {
  const std::vector<store::Rating> after =
      store::rate(std::vector<store::Rated>{{{100, 25.0 / 3}, 1}, {{-100, 1}, 2}});
  EXPECT_NEAR(after[0].mu, 100, 1e-3);
  EXPECT_DOUBLE_EQ(after[0].sigma, store::kNewcomer.sigma);
  EXPECT_GT(after[1].sigma, 1);
}

// A factor below kappa would make the belief certain for ever.
TEST(Rating, OneGameTakesAtMostAllButKappaOfAVariance) {
  const std::vector<store::Rating> after =
      store::rate(std::vector<store::Rated>{{{25, 8}, 1}, {{25, 8}, 2}}, {.kappa = 0.99, .tau = 0});
  EXPECT_NEAR(after[0].sigma, 8 * std::sqrt(0.99), kEqual);
}

TEST(Rating, ManyGamesFindTheBetterPlayer) {
  store::Rating strong;
  store::Rating weak;
  for (int game = 0; game < 40; ++game) {
    const bool upset = game % 4 == 3;
    const std::vector<store::Rating> after =
        store::rate(std::vector<store::Rated>{{strong, upset ? 2U : 1U}, {weak, upset ? 1U : 2U}});
    strong = after[0];
    weak = after[1];
  }
  EXPECT_GT(strong.mu, weak.mu + 3);
  EXPECT_LT(strong.sigma, store::kNewcomer.sigma / 2);
}

TEST(Shown, ANewcomerIs1000GiveOrTake250) {
  EXPECT_EQ(store::shown(store::kNewcomer), 1000);
  EXPECT_EQ(store::shown_deviation(store::kNewcomer), 250);
}

TEST(Shown, OnlyWhatIsAsGoodAsCertainCounts) {
  EXPECT_EQ(store::shown({25, 1}), 1660);
  EXPECT_EQ(store::shown({30, 1}), 1810);
  EXPECT_EQ(store::shown({0, 25.0 / 3}), 250);
}

TEST(Rating, APairCountsByItsWeight) {
  for_random_games([](const std::vector<store::Rated>& players, const auto& in_full) {
    const auto weighted = [&](double weight, const store::Assumptions& assumptions = {}) {
      const std::vector<double> row(players.size(), weight);
      return store::rate(players, assumptions, store::PairWeights(players.size(), row));
    };
    EXPECT_EQ(weighted(1), in_full);
    const auto whole = weighted(1, {.tau = 0});
    const auto half = weighted(0.5, {.tau = 0});
    const auto none = weighted(0);
    for (std::size_t i = 0; i < players.size(); ++i) {
      const store::Rating& before = players[i].before;
      EXPECT_NEAR(half[i].mu - before.mu, (whole[i].mu - before.mu) / 2, kEqual);
      EXPECT_EQ(none[i], before);
    }
  });
}

TEST(Rating, APairWithoutWeightMovesNeitherByTheOther) {
  // The first two have met too often. The third is level with what both were thought to be.
  const auto after =
      store::rate(newcomers({1, 2, 3}), {.tau = 0}, {{1, 0, 1}, {0, 1, 1}, {1, 1, 1}});
  const auto in_full = store::rate(newcomers({1, 2, 3}), {.tau = 0});
  EXPECT_LT(after[0].mu, in_full[0].mu);
  EXPECT_GT(after[0].mu, store::kNewcomer.mu) << "by the third";
  EXPECT_GT(after[1].mu, in_full[1].mu);
  EXPECT_NEAR(after[2].mu, in_full[2].mu, kEqual);
}

}  // namespace
}  // namespace tesela::matchmaking
