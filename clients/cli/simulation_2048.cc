#include "clients/cli/simulation_2048.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tesela::cli {
namespace {

using g2048::Move;
using g2048::Stage;
using g2048::State;

Seed draw_seed(Rng& rng) {
  Seed seed{};
  for (std::size_t i = 0; i < seed.size(); i += 4) {
    const std::uint32_t word = rng.word();
    for (std::size_t byte = 0; byte < 4; ++byte) {
      seed[i + byte] = static_cast<std::uint8_t>(word >> (8 * byte));
    }
  }
  return seed;
}

/// A uniform one of the legal moves, of which there is at least one.
Move random_move(const State& s, Rng& rng) {
  std::array<Move, g2048::kDirections.size()> legal{};
  std::uint32_t count = 0;
  g2048::Game::legal_moves(s, g2048::kOnlySeat, [&](Move move) { legal[count++] = move; });
  return legal[rng.uniform(count)];
}

class SimulatedGame {
 public:
  SimulatedGame(const Simulation2048& simulation,
                std::span<const std::unique_ptr<Observer2048>> observers)
      : simulation_{simulation}, observers_{observers} {}

  Simulated2048 play(std::uint64_t game, const Seed& seed, const Seed& bot_seed) {
    Rng rng{seed};
    Rng bot{bot_seed};
    State s = g2048::Game::start(simulation_.config, rng).value();
    for (const auto& observer : observers_) observer->started(game, seed, s);
    std::uint64_t moves = 0;
    while (g2048::Game::turn(s) && (simulation_.moves_max == 0 || moves < simulation_.moves_max)) {
      s = play_move(s, random_move(s, bot), ++moves, rng);
    }
    for (const auto& observer : observers_) observer->ended(moves, s);
    return {.score = s.score,
            .moves = moves,
            .largest = std::ranges::max(s.cells),
            .objective_reached = s.objective_reached};
  }

 private:
  State play_move(const State& s, Move move, std::uint64_t number, Rng& rng) {
    if (observers_.empty()) {
      return g2048::Game::apply(s, g2048::kOnlySeat, move, rng, NoStages{}).value();
    }
    stages_.clear();
    const State after =
        g2048::Game::apply(s, g2048::kOnlySeat, move, rng, CollectStages{stages_}).value();
    for (const auto& observer : observers_) observer->moved(number, move, stages_, after);
    return after;
  }

  const Simulation2048& simulation_;
  std::span<const std::unique_ptr<Observer2048>> observers_;
  std::vector<Stage> stages_;
};

}  // namespace

std::vector<Simulated2048> simulate(const Simulation2048& simulation,
                                    std::span<const std::unique_ptr<Observer2048>> observers) {
  Rng seeds{simulation.seed};
  SimulatedGame games{simulation, observers};
  std::vector<Simulated2048> results;
  results.reserve(simulation.games);
  for (std::uint64_t game = 1; game <= simulation.games; ++game) {
    const Seed seed = draw_seed(seeds);
    const Seed bot_seed = draw_seed(seeds);
    results.push_back(games.play(game, seed, bot_seed));
  }
  return results;
}

}  // namespace tesela::cli
