// `tesela tournament` for one game: from its options to its table.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/base/progress.h"
#include "clients/cli/base/seed_text.h"
#include "clients/cli/simulate/bot.h"
#include "clients/cli/simulate/report.h"
#include "clients/cli/simulate/tournament.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// Plays whole deals: at least `options.games` games. The configuration is valid.
template <GameText Text>
Expected<void> run_tournament(const typename Text::Game::Config& config,
                              const TournamentOptions& options) {
  using G = typename Text::Game;
  const std::size_t seats = G::seats(config);
  if (auto fit = check_bots(options.bots, seats); !fit) return fit;
  auto bots = bots_of<G>(options.bots, options.budget);
  if (!bots) return std::unexpected(bots.error());
  const std::uint64_t seatings = round_robin(bots->size(), seats).size();
  const Tournament<G> tournament{
      .config = config,
      .bots = *std::move(bots),
      .deals = (options.games + seatings - 1) / seatings,
      .seed = options.seed.empty() ? random_seed() : read_seed(options.seed),
      .threads = options.threads};
  const std::uint64_t games = tournament.deals * seatings;
  const auto start = std::chrono::steady_clock::now();
  auto figures = [&] {
    Progress progress{std::cerr, isatty(STDERR_FILENO) != 0, games, "games"};
    return play_tournament<Text>(tournament, [&] { progress.advance(); });
  }();
  const auto elapsed = std::chrono::steady_clock::now() - start;
  Rng rng{tournament.seed};
  auto ratings = rate(figures.deals, rng);
  return publish({.game = G::kName,
                  .seats = seats,
                  .games = games,
                  .seed = tournament.seed,
                  .figures = std::move(figures),
                  .ratings = std::move(ratings),
                  .elapsed = elapsed},
                 options);
}

}  // namespace tesela::cli
