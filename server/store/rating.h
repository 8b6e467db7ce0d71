// Ratings of players by the Plackett–Luce model of R. C. Weng and C.-J. Lin, "A Bayesian
// Approximation Method for Online Ranking", Journal of Machine Learning Research 12 (2011),
// algorithm 4, with one player in each team. The parameters are those of OpenSkill. Pure: any
// thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tesela::store {

/// What is believed of a player's skill: normally distributed, in points of skill.
struct Rating {
  double mu = 25;
  double sigma = 25.0 / 3;

  friend bool operator==(const Rating&, const Rating&) = default;
};

/// The belief about somebody who has not played yet.
inline constexpr Rating kNewcomer{};

/// A player of a finished game.
struct Rated {
  Rating before;
  std::uint32_t rank{};  // 1 is the best; those who tie share one. Only the order counts
};

/// What the model assumes about games.
struct Assumptions {
  /// How much luck there is in a game: one player's performance scatters by this much.
  double beta = 25.0 / 6;
  /// The least factor by which one game may shrink a variance.
  double kappa = 0.0001;
  /// How far skill drifts from one game to the next: the variance grows by its square before each.
  double tau = 25.0 / 300;
};

/// What is believed after the game, in the order of `players`. There are at least two. A sigma
/// never leaves the range of its player: it ends at most at the greater of where it was and a
/// newcomer's.
[[nodiscard]] std::vector<Rating> rate(std::span<const Rated> players,
                                       const Assumptions& assumptions = {});

/// The number that people read: 1000 for a newcomer, and 30 for each point that is as good as
/// certain (mu - 3 sigma). So 400 between two settled players are odds of about ten to one for the
/// stronger, as in Elo's scale. May be negative.
[[nodiscard]] std::int32_t shown(const Rating& rating);

/// The uncertainty of the same number: one standard deviation. 250 for a newcomer.
[[nodiscard]] std::int32_t shown_deviation(const Rating& rating);

}  // namespace tesela::store
