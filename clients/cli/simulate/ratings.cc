#include "clients/cli/simulate/ratings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace tesela::cli {
namespace {

constexpr int kRoundsMax = 10'000;
constexpr double kPrecision = 1e-9;
constexpr int kSamples = 1'000;
constexpr double kTie = 0.5;  // added to the points of each bot of a pair

/// Strengths divided by their geometric mean.
void normalise(std::vector<double>& strengths) {
  double logs = 0;
  for (const double strength : strengths) logs += std::log(strength);
  const double mean = std::exp(logs / static_cast<double>(strengths.size()));
  for (double& strength : strengths) strength /= mean;
}

/// One step towards the likeliest strengths.
std::vector<double> improved(const PairScores& scores, const std::vector<double>& strengths) {
  std::vector<double> next(strengths.size());
  for (std::size_t bot = 0; bot < next.size(); ++bot) {
    double points = 0;
    double expected = 0;
    for (std::size_t other = 0; other < next.size(); ++other) {
      if (other == bot) continue;
      points += scores.points(bot, other) + kTie;
      expected += (scores.met(bot, other) + 2 * kTie) / (strengths[bot] + strengths[other]);
    }
    next[bot] = points / expected;
  }
  normalise(next);
  return next;
}

double quantile(std::vector<double>& values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

void PairScores::add_ranks(std::span<const std::uint8_t> bots,
                           std::span<const std::uint8_t> ranks) {
  for (std::size_t one = 0; one < bots.size(); ++one) {
    for (std::size_t other = 0; other < bots.size(); ++other) {
      if (one == other) continue;
      const double points = ranks[one] < ranks[other]    ? 1.0
                            : ranks[one] == ranks[other] ? 0.5
                                                         : 0.0;
      add(bots[one], bots[other], points);
    }
  }
}

PairScores& PairScores::operator+=(const PairScores& other) {
  std::ranges::transform(points_, other.points_, points_.begin(), std::plus{});
  return *this;
}

std::vector<double> elo_of(const PairScores& scores) {
  std::vector<double> strengths(scores.bots(), 1.0);
  for (int round = 0; round < kRoundsMax; ++round) {
    std::vector<double> next = improved(scores, strengths);
    const double change = std::transform_reduce(
        next.begin(), next.end(), strengths.begin(), 0.0,
        [](double a, double b) { return std::max(a, b); },
        [](double a, double b) { return std::abs(std::log(a / b)); });
    strengths = std::move(next);
    if (change < kPrecision) break;
  }
  for (double& strength : strengths) strength = 400 * std::log10(strength);
  return strengths;
}

std::vector<Rating> rate(std::span<const PairScores> deals, Rng& rng) {
  const std::size_t bots = deals.front().bots();
  PairScores all{bots};
  for (const PairScores& deal : deals) all += deal;
  std::vector<std::vector<double>> samples(bots);
  for (int sample = 0; sample < kSamples; ++sample) {
    PairScores drawn{bots};
    for (std::size_t deal = 0; deal < deals.size(); ++deal) {
      drawn += deals[rng.uniform(static_cast<std::uint32_t>(deals.size()))];
    }
    const std::vector<double> elo = elo_of(drawn);
    for (std::size_t bot = 0; bot < bots; ++bot) samples[bot].push_back(elo[bot]);
  }
  const std::vector<double> elo = elo_of(all);
  std::vector<Rating> ratings;
  ratings.reserve(bots);
  for (std::size_t bot = 0; bot < bots; ++bot) {
    ratings.push_back({.elo = elo[bot],
                       .low = quantile(samples[bot], 0.025),
                       .high = quantile(samples[bot], 0.975)});
  }
  return ratings;
}

}  // namespace tesela::cli
