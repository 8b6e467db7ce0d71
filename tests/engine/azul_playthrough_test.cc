// The golden playthroughs: R-AZ-1..13 move by move (tests/playthroughs/README.md).
#include <gtest/gtest.h>

#include <sstream>

#include "tests/engine/azul_position.h"
#include "tests/engine/golden.h"
#include "tests/engine/seeds.h"

namespace tesela::test {
namespace {

struct AzulGame {
  std::uint8_t players;
  std::uint64_t seed;  // of the dice; the moves are drawn with ~seed
};

/// A move to a pattern line, uniform among them, so that walls are tiled; any if there is none.
azul::Move draw_move(const azul::State& s, Rng& choices) {
  const std::vector<azul::Move> all = legal(s);
  std::vector<azul::Move> viable;
  std::ranges::copy_if(all, std::back_inserter(viable),
                       [](const azul::Move& move) { return move.target != azul::kFloor; });
  const std::vector<azul::Move>& among = viable.empty() ? all : viable;
  return among[choices.uniform(static_cast<std::uint32_t>(among.size()))];
}

/// Plays a whole game and writes it down: each table, the move and its stages.
std::string play_through(const AzulGame& game) {
  std::ostringstream out;
  out << "# a game of " << int{game.players} << ", the dice of seed " << game.seed << '\n';
  Rng rng = dice(game.seed);
  Rng choices = dice(~game.seed);
  azul::State s = azul::Game::start({game.players}, rng).value();
  for (int number = 1; !s.over; ++number) {
    out << '\n' << azul::headline(s) << '\n' << azul::draw(s.table);
    out << legal(s).size() << " legal moves\n";
    const azul::Move move = draw_move(s, choices);
    out << "\nmove " << number << ": " << azul::say(s, move) << '\n';
    std::vector<azul::Stage> stages;
    s = azul::Game::apply(s, s.turn, move, rng, CollectStages{stages}).value();
    for (const azul::Stage& stage : stages) {
      out << "  " << azul::say(stage) << '\n';
    }
  }
  out << '\n' << azul::headline(s) << '\n' << azul::draw(s.table);
  return out.str();
}

class AzulPlaythrough : public testing::TestWithParam<AzulGame> {};

TEST_P(AzulPlaythrough, IsAsItWasWritten) {
  expect_golden("azul_" + std::to_string(GetParam().players) + "_players",
                play_through(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Golden, AzulPlaythrough,
                         testing::Values(AzulGame{2, 1}, AzulGame{3, 2}, AzulGame{4, 3}),
                         [](const auto& game) {
                           return std::to_string(game.param.players) + "Players";
                         });

}  // namespace
}  // namespace tesela::test
