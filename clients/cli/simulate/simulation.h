// Games that bots play without a server, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "clients/cli/simulate/game_text.h"
#include "clients/cli/simulate/in_order.h"
#include "clients/cli/simulate/play_game.h"
#include "clients/cli/simulate/seat_figures.h"
#include "engine/core/game.h"
#include "engine/core/rng.h"

namespace tesela::cli {

template <Game G>
struct Simulation {
  typename G::Config config;
  std::vector<Bot<G>> bots;  // one a seat
  std::uint64_t games{1};
  std::uint64_t moves_max{
      0};  // of each game; 0: to its end, or kMovesOfGameMax or kMovesOfMatchMax
  Seed seed{};
  unsigned threads{1};
};

/// The result of a simulation.
template <GameText Text>
struct SimulationFigures {
  typename Text::Statistics game;
  std::vector<SeatFigures> seats;
};

/// Makes the observers of a game; called from several threads.
template <Game G>
using ObserverSource = std::function<Observers<G>()>;

template <GameText Text>
class RunningSimulation {
 public:
  using G = typename Text::Game;

  RunningSimulation(const Simulation<G>& simulation, const ObserverSource<G>& observers)
      : simulation_{simulation}, observers_{observers} {
    Rng rng{simulation.seed};
    for (std::uint64_t game = 0; game < simulation.games; ++game) seeds_.push_back(draw_seeds(rng));
    for (const Bot<G>& bot : simulation.bots) {
      bots_.push_back(&bot);
      figures_.seats.emplace_back(bot.text, simulation.bots.size());
    }
  }

  /// Calls `done()` after each game.
  template <class Done>
  SimulationFigures<Text> run(Done&& done) {
    in_order(
        simulation_.games, simulation_.threads, [this](std::uint64_t game) { return play(game); },
        [&](std::uint64_t /*game*/, Finished finished) {
          add(finished);
          done();
        });
    return std::move(figures_);
  }

 private:
  struct Finished {
    Played<G> played;
    Observers<G> observers;
  };

  Finished play(std::uint64_t game) const {
    PlayedGame<G> played{simulation_.config, bots_, seeds_[game], simulation_.moves_max};
    Observers<G> observers = observers_();
    for (const auto& observer : observers) {
      observer->started(game + 1, seeds_[game].game, played.start());
    }
    auto end = played.play(observers);
    return {.played = std::move(end), .observers = std::move(observers)};
  }

  void add(const Finished& finished) {
    for (const auto& observer : finished.observers) observer->flush();
    const Played<G>& played = finished.played;
    figures_.game.add(played.end, played.moves);
    const auto ranks = ranks_of(G::result(played.end), bots_.size());
    const auto seats = static_cast<std::uint8_t>(bots_.size());
    for (std::uint8_t seat = 0; seat < seats; ++seat) {
      figures_.seats[seat].add({.points = Text::points(played.end, Seat{seat}),
                                .rank = ranks[seat],
                                .tied = tied_with(ranks, seat),
                                .pace = played.paces[seat]});
    }
  }

  const Simulation<G>& simulation_;
  const ObserverSource<G>& observers_;
  std::vector<GameSeeds> seeds_;
  std::vector<const Bot<G>*> bots_;
  SimulationFigures<Text> figures_;
};

/// Plays all games; the configuration is valid. The seeds of all games are drawn from `seed` before
/// the first one starts, so that the results do not depend on the number of threads.
template <GameText Text, class Done>
[[nodiscard]] SimulationFigures<Text> simulate(const Simulation<typename Text::Game>& simulation,
                                               const ObserverSource<typename Text::Game>& observers,
                                               Done&& done) {
  return RunningSimulation<Text>{simulation, observers}.run(done);
}

}  // namespace tesela::cli
