// R-2048-1..8 in thousands of random games, with every kind of configuration.
#include <gtest/gtest.h>

#include <vector>

#include "engine/g2048/g2048.h"
#include "tests/engine/g2048/configs.h"
#include "tests/engine/random_simulation.h"

namespace tesela::test {
namespace {

struct Simulated2048 {
  using Game = g2048::Game;

  static g2048::Config config(Rng& rng) { return draw_config(rng); }

  static std::vector<g2048::Move> moves(const g2048::State&) {
    constexpr std::uint8_t kMoves = 6;  // four directions, and two that do not exist
    std::vector<g2048::Move> moves;
    moves.reserve(kMoves);
    for (std::uint8_t direction = 0; direction < kMoves; ++direction) {
      moves.push_back({static_cast<g2048::Direction>(direction)});
    }
    return moves;
  }

  static bool shows(const g2048::Stage& stage, const g2048::State& s) {
    return stage.cells == s.cells;
  }
};

TEST(G2048Simulation, RandomGames) {
  random_simulation<Simulated2048>({.games = 10'000, .moves_max = 1'000, .probed_every = 16});
}

TEST(G2048Simulation, LongGames) {
  random_simulation<Simulated2048>({.games = 20, .moves_max = 5'000});
}

}  // namespace
}  // namespace tesela::test
