// Games of 2048 that bots play here, without a server.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/g2048/g2048.h"

namespace tesela::cli {

struct Simulation2048 {
  g2048::Config config;
  std::uint64_t games{1};
  std::uint64_t moves_max{0};  // of each game; 0: to its end
  Seed seed{};
};

/// How one game went.
struct Simulated2048 {
  std::uint64_t score;
  std::uint64_t moves;
  g2048::Exponent largest;
  bool objective_reached;
};

/// Is told of every game as it is played. Games and moves count from 1.
class Observer2048 {
 public:
  virtual ~Observer2048() = default;
  /// `seed` is that of the game's dice: with it and the moves, the game can be played again.
  virtual void started(std::uint64_t game, const Seed& seed, const g2048::State& s) = 0;
  virtual void moved(std::uint64_t number, g2048::Move move, std::span<const g2048::Stage> stages,
                     const g2048::State& after) = 0;
  /// `moves` were played; the game may have been stopped before its end.
  virtual void ended(std::uint64_t moves, const g2048::State& s) = 0;
};

/// Plays all games with a bot that chooses uniformly among the legal moves.
///
/// The dice of `seed` draw, for each game in turn, eight words that are the seed of the game's dice
/// and eight that are the seed of the bot's: a game does not depend on how many words a bot draws.
[[nodiscard]] std::vector<Simulated2048> simulate(
    const Simulation2048& simulation, std::span<const std::unique_ptr<Observer2048>> observers);

}  // namespace tesela::cli
