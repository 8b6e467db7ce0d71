// The golden playthroughs: R-AZ-1..13 move by move (tests/playthroughs/README.md).
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string_view>

#include "tests/engine/azul/position.h"
#include "tests/engine/golden.h"
#include "tests/engine/seeds.h"

namespace tesela::test {
namespace {

struct AzulGame {
  std::string_view name;
  std::uint8_t players;
  std::uint64_t seed;  // of the dice; the moves are drawn with ~seed
  /// The round from which no player completes a line.
  std::uint32_t tired_from = std::numeric_limits<std::uint32_t>::max();
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

/// A move that fills no line, where there is one.
azul::Move draw_tired_move(const azul::State& s, Rng& choices) {
  std::vector<azul::Move> all = legal(s);
  const auto& lines = s.table.boards[s.turn.value].lines;
  std::erase_if(all, [&](const azul::Move& move) {
    return move.target != azul::kFloor &&
           lines[move.target].count + s.table.sources[move.source].count(move.colour) >=
               azul::line_size(move.target);
  });
  return all[choices.uniform(static_cast<std::uint32_t>(all.size()))];
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
    const azul::Move move =
        s.round < game.tired_from ? draw_move(s, choices) : draw_tired_move(s, choices);
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
  expect_golden("azul_" + std::string{GetParam().name}, play_through(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Golden, AzulPlaythrough,
    testing::Values(AzulGame{.name = "2_players", .players = 2, .seed = 1},
                    AzulGame{.name = "3_players", .players = 3, .seed = 2},
                    AzulGame{.name = "4_players", .players = 4, .seed = 3},
                    AzulGame{.name = "untiled", .players = 2, .seed = 4, .tired_from = 2}),
    [](const auto& game) {
      std::string name = "Game_" + std::string{game.param.name};
      std::erase(name, '_');
      return name;
    });

}  // namespace
}  // namespace tesela::test
