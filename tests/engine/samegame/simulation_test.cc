// R-SG-1..5 in thousands of random games, with every kind of configuration.
#include <gtest/gtest.h>

#include <vector>

#include "engine/samegame/samegame.h"
#include "tests/engine/random_simulation.h"
#include "tests/engine/samegame/configs.h"

namespace tesela::samegame {
namespace {

template <std::uint8_t kSides>
struct SimulatedSameGame {
  using Game = samegame::Game;

  static Config config(Rng& rng) { return draw_config(kSides, rng); }

  static std::vector<Move> moves(const State& s) {
    std::vector<Move> moves;
    for (std::uint16_t cell = 0; cell < s.setting.cell_count() + 3; ++cell) {
      moves.push_back({cell});
    }
    moves.push_back({0xffff});
    return moves;
  }

  static bool shows(const Stage& stage, const State& s) {
    return stage.cells == colours_of(s.setting, s.board);
  }
};

TEST(SameGameSimulation, RandomGames) {
  test::random_simulation<SimulatedSameGame<8>>({.games = 10'000, .moves_max = 900});
}

TEST(SameGameSimulation, LargeBoards) {
  test::random_simulation<SimulatedSameGame<kSideMax>>({.games = 8, .moves_max = 900});
}

}  // namespace
}  // namespace tesela::samegame
