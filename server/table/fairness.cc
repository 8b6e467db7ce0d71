#include "server/table/fairness.h"

#include <algorithm>
#include <optional>

#include "server/codec/games.h"

namespace tesela::table {
namespace {

std::optional<Seed> server_seed_of(const store::TableRow& table) {
  Seed seed{};
  if (table.seed.size() != seed.size()) return std::nullopt;
  std::ranges::copy(table.seed, seed.begin());
  return seed;
}

}  // namespace

std::string commitment_of(const store::TableRow& table) {
  const auto seed = server_seed_of(table);
  const auto config = codec::config_inside(table.config);
  if (!seed || !config) return {};
  const auto hash =
      fair::commitment(*seed, {.game = table.game, .config = *config, .seats = table.seat_count});
  return {hash.begin(), hash.end()};
}

std::vector<fair::Contribution> contributions_of(const store::TableRow& table) {
  std::vector<fair::Contribution> contributions;
  for (const auto& seat : table.seats) {
    if (!seat.contribution.empty()) contributions.push_back({seat.seat, seat.contribution});
  }
  return contributions;
}

Expected<Seed> game_seed_of(const store::TableRow& table) {
  const auto seed = server_seed_of(table);
  if (!seed) return refuse(ErrorCode::kCorrupt, "The table has no seed of the server.");
  return fair::game_seed(*seed, contributions_of(table));
}

}  // namespace tesela::table
