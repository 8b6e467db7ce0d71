// Ratings of players by the Plackett–Luce model of R. C. Weng and C.-J. Lin, "A Bayesian
// Approximation Method for Online Ranking", Journal of Machine Learning Research 12 (2011),
// algorithm 4, with one player in each team. The parameters are those of OpenSkill. Pure: any
// thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tesela::store {

/// The estimate of a player's skill: a normal distribution, in points of skill.
struct Rating {
  double mu = 25;
  double sigma = 25.0 / 3;

  friend bool operator==(const Rating&, const Rating&) = default;
};

/// The estimate for a player without games.
inline constexpr Rating kNewcomer{};

/// A player of a finished game.
struct Rated {
  Rating before;
  std::uint32_t rank{};  // 1 is the best; ties share one. Only the order counts
};

/// The parameters of the model.
struct Assumptions {
  /// The standard deviation of a player's performance in one game.
  double beta = 25.0 / 6;
  /// The least factor by which one game may shrink a variance.
  double kappa = 0.0001;
  /// The drift of skill between games: its square is added to the variance before each game.
  double tau = 25.0 / 300;
};

/// How much each pair of players counts, 0 to 1, by their places in the game; symmetric.
using PairWeights = std::vector<std::vector<double>>;

/// The estimates after the game, in the order of `players`, of which there are at least two. What
/// the model moves a player by is a sum over the other players: each part counts by its weight, and
/// the drift by the player's greatest one. Empty weights: all are 1. A player whose weights are all
/// 0 keeps the estimate. A sigma never exceeds the greater of its old value and a newcomer's.
[[nodiscard]] std::vector<Rating> rate(std::span<const Rated> players,
                                       const Assumptions& assumptions = {},
                                       const PairWeights& weights = {});

/// The rating that is shown: 1000 + 30 (mu - 3 sigma), 1000 for a newcomer. A difference of 400
/// between players with many games means odds of about ten to one, as on Elo's scale. May be
/// negative.
[[nodiscard]] std::int32_t shown(const Rating& rating);

/// The standard deviation of the rating that is shown. 250 for a newcomer.
[[nodiscard]] std::int32_t shown_deviation(const Rating& rating);

}  // namespace tesela::store
