// `tesela tournament` for one game: from its options to its table.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/base/progress.h"
#include "clients/cli/base/value_text.h"
#include "clients/cli/simulate/bot.h"
#include "clients/cli/simulate/report.h"
#include "clients/cli/simulate/tournament.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// How many moves a substitute made in place of a bot. Any thread.
using MissedMoves = std::atomic<std::uint64_t>;

/// Makes the strategy that asks a remote bot for its moves, by the name of the bot. It counts those
/// that did not come in `missed`.
template <Game G>
using RemoteMaker =
    std::function<std::unique_ptr<Strategy<G>>(const std::string& name, MissedMoves& missed)>;

/// The bots of the options. `missed` has a number for each of them, and outlives them. Refuses an
/// unknown strategy with kNotFound.
template <Game G>
Expected<std::vector<Bot<G>>> tournament_bots(const TournamentOptions& options,
                                              const RemoteMaker<G>& remote,
                                              std::span<MissedMoves> missed) {
  std::vector<Bot<G>> bots;
  for (const BotText& text : options.bots) {
    if (is_remote(text.strategy)) {
      MissedMoves& of_bot = missed[bots.size()];
      bots.push_back(
          {.text = text.text,
           .description = kRemoteDescription,
           .budget = text.budget.or_else(options.budget).limits(),
           .make = [remote, &of_bot, name = text.strategy] { return remote(name, of_bot); }});
      continue;
    }
    auto bot = bot_of<G>(text, options.budget);
    if (!bot) return std::unexpected(bot.error());
    bots.push_back(*std::move(bot));
  }
  return bots;
}

/// Plays whole deals: at least `options.games` games. The configuration is valid.
template <GameText Text>
Expected<void> run_tournament(const typename Text::Game::Config& config,
                              const TournamentOptions& options,
                              const RemoteMaker<typename Text::Game>& remote) {
  using G = typename Text::Game;
  const std::size_t seats = G::seats(config);
  if (auto fit = check_bots(options.bots, seats); !fit) return fit;
  std::vector<MissedMoves> missed(options.bots.size());
  auto bots = tournament_bots<G>(options, remote, missed);
  if (!bots) return std::unexpected(bots.error());
  const std::uint64_t seatings = round_robin(bots->size(), seats).size();
  const Tournament<G> tournament{
      .config = config,
      .bots = *std::move(bots),
      .deals = (options.games + seatings - 1) / seatings,
      .seed = options.seed.empty() ? random_seed() : read_seed(options.seed),
      .threads = options.threads};
  const std::uint64_t games = tournament.deals * seatings;
  if (options.begin) options.begin();
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
                  .missed = {missed.begin(), missed.end()},
                  .elapsed = elapsed},
                 options);
}

}  // namespace tesela::cli
