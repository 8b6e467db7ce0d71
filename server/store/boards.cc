#include "server/store/boards.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace tesela::store {

std::vector<RatingRow> after_game(std::span<const Placing> placings, const RatingBefore& before) {
  std::map<PlayerId, RatingRow> rows;
  std::vector<store::Rated> game;
  for (const Placing& placing : placings) {
    const auto known = rows.find(placing.player);
    const RatingRow row = known == rows.end() ? before(placing.player) : known->second;
    rows.insert_or_assign(placing.player, row);
    game.push_back({.before = row.rating, .rank = placing.rank});
  }
  struct Sum {
    double mu = 0;
    double sigma = 0;
    double seats = 0;
    bool left = false;
  };
  std::map<PlayerId, Sum> sums;
  const auto after = store::rate(game);
  for (std::size_t i = 0; i < placings.size(); ++i) {
    Sum& sum = sums[placings[i].player];
    sum.mu += after[i].mu;
    sum.sigma += after[i].sigma;
    ++sum.seats;
    sum.left = sum.left || placings[i].left;
  }
  std::vector<RatingRow> changed;
  for (const auto& [player, row] : rows) {
    const Sum& sum = sums.at(player);
    RatingRow now{.player = player,
                  .rating = {.mu = sum.mu / sum.seats, .sigma = sum.sigma / sum.seats},
                  .games = row.games + 1};
    if (sum.left) {
      now.rating.mu = std::min(now.rating.mu, row.rating.mu);
      // The shown rating is a bound below mu: a smaller sigma would raise it.
      now.rating.sigma = std::max(now.rating.sigma, row.rating.sigma);
    }
    changed.push_back(now);
  }
  return changed;
}

}  // namespace tesela::store
