// The strength of bots by their games against each other: Bradley–Terry ratings on Elo's scale.
#pragma once

#include <cstddef>
#include <cstdint>
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
  PairScores& operator+=(const PairScores& other);

 private:
  std::size_t bots_;
  std::vector<double> points_;
};

/// In Elo points, 0 on average: with 400 points more, a bot is expected to win ten times as often
/// as it loses.
struct Rating {
  double elo{0};
  double low{0};  // of the 95 % interval
  double high{0};
};

/// The ratings under which the scores are likeliest. All bots must have met, directly or through
/// others. One tie is added to each pair, so that a bot that always lost has a finite rating.
/// Source: D. R. Hunter, MM algorithms for generalized Bradley–Terry models, Ann. Statist. 32
/// (2004).
[[nodiscard]] std::vector<double> elo_of(const PairScores& scores);

/// The same of the sum of all deals, with 95 % intervals by resampling the deals: games of one deal
/// are not independent, and neither are the pairs of one game. Draws from `rng`. At least one deal.
/// Source: B. Efron, Bootstrap methods: another look at the jackknife, Ann. Statist. 7 (1979).
[[nodiscard]] std::vector<Rating> rate(std::span<const PairScores> deals, Rng& rng);

}  // namespace tesela::cli
