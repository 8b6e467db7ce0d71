#include "server/replay/start_game.h"

#include <utility>

#include "server/base/crypto.h"
#include "server/codec/record.h"
#include "server/games/games.h"
#include "server/replay/game_outcome.h"

namespace tesela::replay {

store::GameOutcome end_if_over(store::TableRow& table, const games::Match& match,
                               std::int64_t at_ms) {
  auto outcome = match.final_result();
  if (!outcome) return {};
  table.state = store::TableState::kOver;
  table.ending = store::Ending{.result = std::move(outcome->result), .ended_ms = at_ms};
  return outcome_of(table, outcome->standings, at_ms);
}

Expected<StartedGame> start_game(const store::TableRow& table, std::int64_t at_ms) {
  const auto game = games::find_game(table.game);
  if (!game) return std::unexpected(game.error());
  const auto config = games::config_inside(table.config);
  if (!config) return std::unexpected(config.error());
  // An open table of before the first release may have promised nothing.
  const auto seed = table.seed.empty() ? Expected<Seed>(base::random_seed()) : game_seed_of(table);
  if (!seed) return std::unexpected(seed.error());
  codec::Created created{
      .game = table.game, .config = *config, .seed = *seed, .seats = table.seat_count};
  auto match = (*game)->start(created.config, created.seed);
  if (!match) return std::unexpected(match.error());
  auto record =
      codec::encode({.at_ms = at_ms, .event = std::move(created), .digest = (*match)->digest()});
  return StartedGame{.match = std::move(*match), .record = std::move(record)};
}

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
