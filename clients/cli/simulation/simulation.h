// Games that a random player plays here, without a server.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "clients/cli/simulation/game_words.h"
#include "engine/core/game.h"
#include "engine/core/rng.h"

namespace tesela::cli {

/// The most moves of a game. A random game of Azul can come to where no tile that is left fits any
/// line, and then goes on for ever.
inline constexpr std::uint64_t kMovesOfGameMax = 100'000;

template <Game G>
struct Simulation {
  typename G::Config config;
  std::uint64_t games{1};
  std::uint64_t moves_max{0};  // of each game; 0: to its end, or kMovesOfGameMax
  Seed seed{};
};

/// Is told of every game as it is played. Games and moves count from 1.
template <Game G>
class Observer {
 public:
  virtual ~Observer() = default;
  /// `seed` is that of the game's dice: with it and the moves, the game can be played again.
  virtual void started(std::uint64_t game, const Seed& seed, const typename G::State& s) = 0;
  virtual void moved(std::uint64_t number, const typename G::State& before,
                     const typename G::Move& move, std::span<const typename G::Stage> stages,
                     const typename G::State& after) = 0;
  /// `moves` were played; the game may have been stopped before its end.
  virtual void ended(std::uint64_t moves, const typename G::State& s) = 0;
};

template <Game G>
using Observers = std::vector<std::unique_ptr<Observer<G>>>;

/// The 32 bytes of eight words, the low byte of each first.
[[nodiscard]] Seed draw_seed(Rng& rng);

template <GameWords Words>
class SimulatedGame {
 public:
  using G = typename Words::Game;

  SimulatedGame(const Simulation<G>& simulation, const Observers<G>& observers)
      : simulation_{simulation}, observers_{observers} {}

  /// Plays a game, and tells its end to `tally`.
  void play(std::uint64_t game, const Seed& seed, const Seed& bot_seed,
            typename Words::Tally& tally) {
    Rng rng{seed};
    Rng bot{bot_seed};
    typename G::State s = G::start(simulation_.config, rng).value();
    for (const auto& observer : observers_) observer->started(game, seed, s);
    std::uint64_t moves = 0;
    for (auto seat = G::turn(s); seat && !stopped(moves); seat = G::turn(s)) {
      s = play_move(s, *seat, Words::choose(s, *seat, bot), ++moves, rng);
    }
    for (const auto& observer : observers_) observer->ended(moves, s);
    tally.add(s, moves);
  }

 private:
  [[nodiscard]] bool stopped(std::uint64_t moves) const {
    return moves >= (simulation_.moves_max == 0 ? kMovesOfGameMax : simulation_.moves_max);
  }

  typename G::State play_move(const typename G::State& s, Seat seat, const typename G::Move& move,
                              std::uint64_t number, Rng& rng) {
    if (observers_.empty()) return G::apply(s, seat, move, rng, NoStages{}).value();
    stages_.clear();
    const auto after = G::apply(s, seat, move, rng, CollectStages{stages_}).value();
    for (const auto& observer : observers_) observer->moved(number, s, move, stages_, after);
    return after;
  }

  const Simulation<G>& simulation_;
  const Observers<G>& observers_;
  std::vector<typename G::Stage> stages_;
};

/// Plays all games with a player that chooses as `Words` does. The configuration is valid.
///
/// The dice of `seed` draw, for each game in turn, eight words that are the seed of the game's dice
/// and eight that are the seed of the player's: a game does not depend on how many words a player
/// draws.
template <GameWords Words>
[[nodiscard]] typename Words::Tally simulate(const Simulation<typename Words::Game>& simulation,
                                             const Observers<typename Words::Game>& observers) {
  Rng seeds{simulation.seed};
  SimulatedGame<Words> games{simulation, observers};
  typename Words::Tally tally;
  for (std::uint64_t game = 1; game <= simulation.games; ++game) {
    const Seed seed = draw_seed(seeds);
    const Seed bot_seed = draw_seed(seeds);
    games.play(game, seed, bot_seed, tally);
  }
  return tally;
}

}  // namespace tesela::cli
