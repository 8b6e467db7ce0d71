#include "server/store/rating.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tesela::store {
namespace {

constexpr double kShownNewcomer = 1000;
constexpr double kShownPerPoint = 30;

double square(double x) {
  return x * x;
}

double ordinal(const Rating& rating) {
  return rating.mu - 3 * rating.sigma;
}

/// The values of algorithm 4 that do not depend on the player, with the names of the paper.
class Game {
 public:
  Game(std::span<const Rated> players, const Assumptions& assumptions, const PairWeights& weights)
      : players_(players), weights_(weights), kappa_(assumptions.kappa) {
    double c_squared = 0;
    for (std::size_t i = 0; i < players.size(); ++i) {
      const double drift = square(assumptions.tau) * greatest_weight(i);
      variances_.push_back(square(players[i].before.sigma) + drift);
      c_squared += variances_.back() + square(assumptions.beta);
    }
    c_ = std::sqrt(c_squared);
    for (const Rated& player : players) strengths_.push_back(std::exp(player.before.mu / c_));
    for (const Rated& q : players) {
      double sum = 0;
      for (std::size_t s = 0; s < players.size(); ++s) {
        if (players[s].rank >= q.rank) sum += strengths_[s];
      }
      sums_.push_back(sum);
      ties_.push_back(static_cast<double>(std::ranges::count(players, q.rank, &Rated::rank)));
    }
  }

  /// The paper's omega and delta, each written as a sum over the others: 1 - p of the player's own
  /// place is the sum of what the players at or behind it have there.
  [[nodiscard]] Rating after(std::size_t i) const {
    double omega = 0;
    double delta = 0;
    for (std::size_t j = 0; j < players_.size(); ++j) {
      if (j == i) continue;
      const double weight = weight_of(i, j);
      if (players_[j].rank >= players_[i].rank) {
        const double p = weight * strengths_[j] / sums_[i] / ties_[i];
        omega += p;
        delta += p * strengths_[i] / sums_[i];
      }
      if (players_[j].rank <= players_[i].rank) {
        const double p = strengths_[i] / sums_[j];
        omega -= weight * p / ties_[j];
        delta += weight * p * (1 - p) / ties_[j];
      }
    }
    const double gamma = std::sqrt(variances_[i]) / c_;
    const double share = gamma * variances_[i] / square(c_) * delta;
    const double variance = variances_[i] * std::max(1 - share, kappa_);
    const Rating& before = players_[i].before;
    return {before.mu + variances_[i] / c_ * omega,
            std::min(std::sqrt(variance), std::max(before.sigma, kNewcomer.sigma))};
  }

 private:
  [[nodiscard]] double weight_of(std::size_t i, std::size_t j) const {
    return weights_.empty() ? 1 : weights_[i][j];
  }
  [[nodiscard]] double greatest_weight(std::size_t i) const {
    double greatest = 0;
    for (std::size_t j = 0; j < players_.size(); ++j) {
      if (j != i) greatest = std::max(greatest, weight_of(i, j));
    }
    return greatest;
  }

  std::span<const Rated> players_;
  const PairWeights& weights_;
  double kappa_;
  double c_{};
  std::vector<double> variances_;  // sigma squared, after the drift
  std::vector<double> strengths_;  // e^(mu / c)
  std::vector<double> sums_;       // of the strengths of all players ranked at q or behind
  std::vector<double> ties_;       // A: the number of players with the rank of q
};

}  // namespace

std::vector<Rating> rate(std::span<const Rated> players, const Assumptions& assumptions,
                         const PairWeights& weights) {
  const Game game{players, assumptions, weights};
  std::vector<Rating> after;
  after.reserve(players.size());
  for (std::size_t i = 0; i < players.size(); ++i) after.push_back(game.after(i));
  return after;
}

std::int32_t shown(const Rating& rating) {
  return static_cast<std::int32_t>(
      std::lround(kShownNewcomer + kShownPerPoint * (ordinal(rating) - ordinal(kNewcomer))));
}

std::int32_t shown_deviation(const Rating& rating) {
  return static_cast<std::int32_t>(std::lround(kShownPerPoint * rating.sigma));
}

}  // namespace tesela::store
