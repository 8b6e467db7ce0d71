// The strength of bots by their games against each other: Bradley–Terry ratings on Elo's scale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/rng.h"

namespace tesela::cli {

/// The points of each bot against each other one: 1 for the better rank in a game, 0.5 for a tie.
class PairScores {
 public:
  explicit PairScores(std::size_t bots) : bots_{bots}, points_(bots * bots) {}

  [[nodiscard]] std::size_t bots() const { return bots_; }
  /// The points of one bot against another.
  [[nodiscard]] double points(std::size_t bot, std::size_t against) const {
    return points_[bot * bots_ + against];
  }
  /// How often they met.
  [[nodiscard]] double met(std::size_t one, std::size_t other) const {
    return points(one, other) + points(other, one);
  }

  void add(std::size_t bot, std::size_t against, double points) {
    points_[bot * bots_ + against] += points;
  }
  /// All pairs of a game or of a deal: bot n is `bots[n]`, with the rank `ranks[n]`.
  void add_ranks(std::span<const std::uint8_t> bots, std::span<const std::uint8_t> ranks);
  /// All points of `other`, each times `weight`.
  void add(const PairScores& other, double weight = 1);

 private:
  std::size_t bots_;
  std::vector<double> points_;
};

/// Of all these deals together. At least one.
[[nodiscard]] PairScores sum_of(std::span<const PairScores> deals);

/// With so many deals or more there are intervals. Resampling fewer is mostly noise.
inline constexpr std::size_t kIntervalDealsMin = 10;

/// In Elo points, 0 on average: with 400 points more, a bot is expected to win ten times as often
/// as it loses.
struct Rating {
  struct Interval {
    double low{0};
    double high{0};
  };

  double elo{0};
  std::optional<Interval> interval{};  // of 95 %; none with fewer than kIntervalDealsMin deals
};

/// The ratings under which the scores of so many deals are likeliest. All bots must have met,
/// directly or through others.
///
/// For each pair two invented deals are added, one that each bot wins, so that a bot that always
/// lost has a finite rating. Their weights depend on the number of bots: all those that a bot wins
/// have half the weight of a deal together. Were it the weight for each pair, the invented deals of
/// many bots would draw far apart ones together. Two bots that play one game a deal have one tie.
/// Source: R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika 39
/// (1952).
[[nodiscard]] std::vector<double> elo_of(const PairScores& scores, std::size_t deals);

/// The same of these deals, with 95 % intervals by resampling them: games of one deal are not
/// independent, and neither are the pairs of one game. Draws from `rng`. At least one deal.
///
/// A sample gives each deal a random weight (the Bayesian bootstrap), and each invented one too,
/// with the same weight on average as above. So one-sided scores have an interval too. For two bots
/// and deals of one game it is Jeffreys' interval of a share. Source: D. B. Rubin, The Bayesian
/// bootstrap, Ann. Statist. 9 (1981).
[[nodiscard]] std::vector<Rating> rate(std::span<const PairScores> deals, Rng& rng);

}  // namespace tesela::cli
