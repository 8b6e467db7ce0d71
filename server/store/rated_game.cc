#include "server/store/rated_game.h"

#include <cstddef>
#include <map>

namespace tesela::store {

std::vector<RatingRow> after_game(std::span<const Placing> placings, const RatingBefore& before) {
  std::map<PlayerId, RatingRow> rows;
  std::vector<match::Rated> game;
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
  };
  std::map<PlayerId, Sum> sums;
  const auto after = match::rate(game);
  for (std::size_t i = 0; i < placings.size(); ++i) {
    Sum& sum = sums[placings[i].player];
    sum.mu += after[i].mu;
    sum.sigma += after[i].sigma;
    ++sum.seats;
  }
  std::vector<RatingRow> changed;
  for (const auto& [player, row] : rows) {
    const Sum& sum = sums.at(player);
    changed.push_back({.player = player,
                       .rating = {.mu = sum.mu / sum.seats, .sigma = sum.sigma / sum.seats},
                       .games = row.games + 1});
  }
  return changed;
}

}  // namespace tesela::store
