// R-AZ-1..15 in thousands of random games of two, three and four.
#include <gtest/gtest.h>

#include <vector>

#include "engine/azul/azul.h"
#include "tests/engine/random_simulation.h"

namespace tesela::test {
namespace {

struct SimulatedAzul {
  using Game = azul::Game;

  static azul::Config config(Rng& rng) {
    return {.players = static_cast<std::uint8_t>(azul::kPlayersMin + rng.uniform(3)),
            .untiled_rounds_max = rng.uniform(2) == 0 ? std::uint8_t{0} : azul::kUntiledRoundsMax};
  }

  /// Every colour and target of every source that has a tile, one move of every other source, and
  /// some that do not exist.
  static std::vector<azul::Move> moves(const azul::State& s) {
    std::vector<azul::Move> moves{{azul::kCentre + 1, azul::Colour::kBlue, 0},
                                  {0, azul::Colour::kBlue, azul::kFloor + 1},
                                  {0, static_cast<azul::Colour>(azul::kColourCount), 0}};
    for (azul::Source source = 0; source < azul::kSourcesMax; ++source) {
      const bool empty = s.table.sources[source].empty();
      for (const azul::Colour colour : azul::kColours) {
        for (azul::Target target = 0; target <= azul::kFloor; ++target) {
          if (!empty || (colour == azul::Colour::kRed && target == azul::kFloor)) {
            moves.push_back({source, colour, target});
          }
        }
      }
    }
    return moves;
  }

  static bool shows(const azul::Stage& stage, const azul::State& s) {
    return stage.table == s.table;
  }
};

// R-AZ-15: the order of moves too, by which the moves are drawn that are played again. A game from
// before the third end of R-AZ-11 may have none (engine/azul/RULES.md).
TEST(AzulSimulation, RandomGames) {
  random_simulation<SimulatedAzul>({.games = 10'000, .moves_max = 400, .probed_every = 8});
}

TEST(AzulSimulation, EveryPositionOfAGame) {
  random_simulation<SimulatedAzul>({.games = 400, .moves_max = 400});
}

}  // namespace
}  // namespace tesela::test
