#include "clients/cli/simulate/ratings.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tesela::cli {
namespace {

constexpr int kStepsMax = 200;
constexpr double kPrecision = 1e-9;
constexpr std::size_t kSamples = 1'000;
// The weight of all invented deals that a bot wins, together.
constexpr double kInventedWeight = 0.5;
// The least weight of an invented deal: without any, a bot that lost all has no finite rating.
constexpr double kWeightMin = 1e-6;

/// A square matrix, row after row.
class Matrix {
 public:
  explicit Matrix(std::size_t size, double value) : size_{size}, values_(size * size, value) {}

  double& at(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }

  /// x of "this matrix times x is `right`", by Cholesky's decomposition, which takes its place. It
  /// is symmetric and positive definite.
  std::vector<double> solve(std::vector<double> right) {
    for (std::size_t row = 0; row < size_; ++row) {
      for (std::size_t column = 0; column <= row; ++column) {
        double rest = at(row, column);
        for (std::size_t k = 0; k < column; ++k) rest -= at(row, k) * at(column, k);
        at(row, column) = row == column ? std::sqrt(rest) : rest / at(column, column);
      }
      for (std::size_t k = 0; k < row; ++k) right[row] -= at(row, k) * right[k];
      right[row] /= at(row, row);
    }
    for (std::size_t row = size_; row-- > 0;) {
      for (std::size_t k = row + 1; k < size_; ++k) right[row] -= at(k, row) * right[k];
      right[row] /= at(row, row);
    }
    return right;
  }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

/// Newton's step from these logarithms of strengths towards the likeliest ones.
std::vector<double> step_from(const std::vector<double>& logs, const PairScores& scores) {
  const std::size_t bots = logs.size();
  std::vector<double> slope(bots);
  // The likelihood is the same wherever the mean is. The ones keep it in its place.
  Matrix curvature{bots, 1.0};
  for (std::size_t one = 0; one < bots; ++one) {
    for (std::size_t other = 0; other < bots; ++other) {
      if (one == other) continue;
      const double chance = 1 / (1 + std::exp(logs[other] - logs[one]));
      const double spread = scores.met(one, other) * chance * (1 - chance);
      slope[one] += scores.points(one, other) - scores.met(one, other) * chance;
      curvature.at(one, one) += spread;
      curvature.at(one, other) -= spread;
    }
  }
  return curvature.solve(std::move(slope));
}

/// Logarithms of the likeliest strengths, 0 on average. `logs` is where to begin; each pair has
/// points on both sides. Long steps are made shorter, so that none leads away: T. Sun, Q.
/// Tran-Dinh, Generalized self-concordant functions, Math. Program. 178 (2019), with nu = 2.
std::vector<double> likeliest(const PairScores& scores, std::vector<double> logs) {
  for (int number = 0; number < kStepsMax; ++number) {
    const std::vector<double> step = step_from(logs, scores);
    const auto [least, most] = std::ranges::minmax(step);
    const double length = most - least;
    if (length < kPrecision) break;
    const double part = std::log1p(length) / length;
    for (std::size_t bot = 0; bot < logs.size(); ++bot) logs[bot] += part * step[bot];
  }
  return logs;
}

double elo(double log_strength) {
  return 400 * log_strength / std::numbers::ln10;
}

/// Of an invented deal: its weight on average, as a part of a deal's.
double invented_weight(std::size_t bots) {
  return kInventedWeight / static_cast<double>(bots - 1);
}

/// Adds to `scores` the invented deals of all pairs, as many games in each as in one of `deals`
/// deals with the scores `all`. `weight` gives the weight of each.
void add_invented(PairScores& scores, const PairScores& all, std::size_t deals, auto weight) {
  for (std::size_t one = 0; one < all.bots(); ++one) {
    for (std::size_t other = 0; other < all.bots(); ++other) {
      if (one == other) continue;
      const double met = all.met(one, other) / static_cast<double>(deals);
      scores.add(one, other, met * weight());
    }
  }
}

std::vector<double> logs_of(const PairScores& all, std::size_t deals) {
  PairScores scores = all;
  add_invented(scores, all, deals, [&] { return invented_weight(all.bots()); });
  return likeliest(scores, std::vector<double>(all.bots()));
}

/// Above 0, at most 1.
double uniform(Rng& rng) {
  return (1.0 + rng.word()) / 4294967296.0;
}

/// Of an exponential distribution: 1 on average.
double draw_weight(Rng& rng) {
  return -std::log(uniform(rng));
}

/// Of a gamma distribution with this shape, which is below 1: `shape` on average. A
/// beta-distributed part of an exponential weight: M. D. Jöhnk, Metrika 8 (1964).
double draw_weight(double shape, Rng& rng) {
  while (true) {
    const double part = std::pow(uniform(rng), 1 / shape);
    const double rest = std::pow(uniform(rng), 1 / (1 - shape));
    if (part + rest <= 1) return part / (part + rest) * draw_weight(rng);
  }
}

/// The scores of all deals, and of those that are invented, with random weights.
PairScores draw_scores(std::span<const PairScores> deals, const PairScores& all, Rng& rng) {
  PairScores drawn{all.bots()};
  for (const PairScores& deal : deals) drawn.add(deal, draw_weight(rng));
  add_invented(drawn, all, deals.size(),
               [&] { return std::max(draw_weight(invented_weight(all.bots()), rng), kWeightMin); });
  return drawn;
}

/// The 95 % interval of these values.
Rating::Interval interval_of(std::vector<double> values) {
  std::ranges::sort(values);
  const auto quantile = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {.low = quantile(0.025), .high = quantile(0.975)};
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

void PairScores::add(const PairScores& other, double weight) {
  for (std::size_t pair = 0; pair < points_.size(); ++pair) {
    points_[pair] += weight * other.points_[pair];
  }
}

PairScores sum_of(std::span<const PairScores> deals) {
  PairScores all{deals.front().bots()};
  for (const PairScores& deal : deals) all.add(deal);
  return all;
}

std::vector<double> elo_of(const PairScores& scores, std::size_t deals) {
  std::vector<double> ratings = logs_of(scores, deals);
  std::ranges::transform(ratings, ratings.begin(), elo);
  return ratings;
}

std::vector<Rating> rate(std::span<const PairScores> deals, Rng& rng) {
  const PairScores all = sum_of(deals);
  const std::vector<double> logs = logs_of(all, deals.size());
  std::vector<Rating> ratings;
  ratings.reserve(logs.size());
  for (const double log : logs) ratings.push_back({.elo = elo(log)});
  if (deals.size() < kIntervalDealsMin) return ratings;
  std::vector<std::vector<double>> samples(logs.size());
  for (std::size_t sample = 0; sample < kSamples; ++sample) {
    const std::vector<double> drawn = likeliest(draw_scores(deals, all, rng), logs);
    for (std::size_t bot = 0; bot < logs.size(); ++bot) samples[bot].push_back(elo(drawn[bot]));
  }
  for (std::size_t bot = 0; bot < logs.size(); ++bot) {
    ratings[bot].interval = interval_of(std::move(samples[bot]));
  }
  return ratings;
}

}  // namespace tesela::cli
