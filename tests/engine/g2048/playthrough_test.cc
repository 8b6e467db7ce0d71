// The golden playthroughs: R-2048-1..8 move by move (tests/playthroughs/README.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/g2048/g2048.h"
#include "tests/engine/playthrough.h"

namespace tesela::test {
namespace {

using g2048::Config;
using g2048::Game;
using g2048::kOnlySeat;
using g2048::Move;
using g2048::Outcome;
using g2048::Stage;
using g2048::StageKind;
using g2048::State;
using g2048::tile_value;

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kInPlay:
      return "in play";
    case Outcome::kObjectiveReached:
      return "objective reached, in play";
    case Outcome::kWon:
      return "won";
    case Outcome::kLost:
      break;
  }
  return "lost";
}

std::vector<Move> legal_of(const State& s) {
  std::vector<Move> legal;
  Game::legal_moves(s, kOnlySeat, [&](Move move) { legal.push_back(move); });
  return legal;
}

std::string cell_name(unsigned cell, const Config& config) {
  return std::to_string(cell / config.size) + "," + std::to_string(cell % config.size);
}

struct Told2048 {
  using Game = g2048::Game;

  static void write_config(std::ostream& out, const Config& config) {
    out << "size " << int{config.size} << "\nweights";
    for (std::size_t i = 0; i < config.weight_count; ++i) {
      out << ' ' << tile_value(config.weights[i].exponent) << ':' << config.weights[i].per_mille;
    }
    out << "\nstart_tiles " << int{config.start_tiles} << "\nstart_value ";
    if (config.start_exponent == g2048::kDrawn) {
      out << "drawn";
    } else {
      out << tile_value(config.start_exponent);
    }
    out << "\nobjective " << tile_value(config.objective) << "\nstop_at_objective "
        << (config.stop_at_objective ? "yes" : "no") << '\n';
  }

  static void write_position(std::ostream& out, const State& s) {
    const std::vector<Move> legal = legal_of(s);
    out << g2048::draw(s.cells, s.config.size) << "score " << s.score << ", "
        << name_of(outcome(s));
    if (!legal.empty()) {
      out << "; legal:";
    }
    for (const Move& move : legal) {
      out << ' ' << name(move.direction);
    }
    out << '\n';
  }

  static Move choose(const State& s, std::uint64_t /*number*/, Rng& choices) {
    const std::vector<Move> legal = legal_of(s);
    return legal[choices.uniform(static_cast<std::uint32_t>(legal.size()))];
  }

  static void write_move(std::ostream& out, const Move& move, const State& /*before*/) {
    out << name(move.direction);
  }

  static void write_stage(std::ostream& out, const Stage& stage, const State& before) {
    const Config& config = before.config;
    switch (stage.kind) {
      case StageKind::kSlide:
        out << "slide";
        break;
      case StageKind::kMerge:
        out << "merge";
        break;
      case StageKind::kSpawn:
        out << "spawn " << tile_value(stage.cells[stage.spawned]) << " at "
            << cell_name(stage.spawned, config);
        break;
    }
    for (const Motion& motion : stage.motions) {
      out << ' ' << cell_name(motion.from, config) << (motion.merged ? "=>" : "->")
          << cell_name(motion.to, config);
    }
    if (stage.points != 0) {
      out << "  +" << stage.points;
    }
  }
};

Config tiny() {
  Config config;
  config.size = 2;
  config.start_tiles = 1;
  return config;
}

Config stopping() {
  Config config;
  config.objective = 6;
  config.stop_at_objective = true;
  return config;
}

Config going_on() {
  Config config;
  config.size = 3;
  config.objective = 4;
  return config;
}

Config full_of_eights() {
  Config config;
  config.size = 3;
  config.start_tiles = 9;
  config.start_exponent = 3;
  return config;
}

Config many_weights() {
  Config config;
  config.size = 5;
  config.weights = {{{1, 300}, {2, 200}, {3, 150}, {4, 100}, {5, 100}, {6, 75}, {7, 50}, {30, 25}}};
  config.weight_count = 8;
  config.start_tiles = 4;
  config.objective = 31;
  return config;
}

using Played = Playthrough<Game>;

class G2048Playthrough : public testing::TestWithParam<Played> {};

TEST_P(G2048Playthrough, IsAsItWasWritten) {
  expect_golden("2048_" + GetParam().name, play_through<Told2048>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Golden, G2048Playthrough,
    testing::Values(
        Played{"classic", "the original game, to its end", Config::classic(), 1},
        Played{"amat", "the preset amat, its first moves", Config::amat(), 2, 60},
        Played{"tiny", "the smallest board, from one tile to its end", tiny(), 3},
        Played{"stop_at_objective", "ends when a 64 stands on the board", stopping(), 4},
        Played{"play_goes_on", "goes on after its objective, to its end", going_on(), 5},
        Played{"start_value", "starts with a board full of eights", full_of_eights(), 6, 40},
        Played{"many_weights", "spawns eight values, up to 2^30", many_weights(), 7, 60}),
    [](const auto& game) { return game.param.name; });

}  // namespace
}  // namespace tesela::test
