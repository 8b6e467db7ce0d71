#include "server/replay/fairness.h"

#include "server/games/games.h"

namespace tesela::replay {
std::string commitment_of(const store::TableRow& table) {
  const auto seed = games::seed_of(table.seed);
  const auto config = games::config_inside(table.config);
  if (!seed || !config) return {};
  const auto hash =
      games::commitment(*seed, {.game = table.game, .config = *config, .seats = table.seat_count});
  return {hash.begin(), hash.end()};
}

std::vector<games::Contribution> contributions_of(const store::TableRow& table) {
  std::vector<games::Contribution> contributions;
  for (const auto& seat : table.seats) {
    if (!seat.contribution.empty()) contributions.push_back({seat.seat, seat.contribution});
  }
  return contributions;
}

Expected<Seed> game_seed_of(const store::TableRow& table) {
  const auto seed = games::seed_of(table.seed);
  if (!seed) return refuse(ErrorCode::kCorrupt, "The table has no seed of the server.");
  return games::game_seed(*seed, contributions_of(table));
}

}  // namespace tesela::replay
