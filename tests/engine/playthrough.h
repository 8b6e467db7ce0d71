// Golden playthroughs: whole games as texts that a person can follow
// (tests/playthroughs/README.md).
//
// A game's test makes a type that tells its games, and calls play_through with it:
//
//   struct ToldChess {
//     using Game = chess::Game;
//     static void write_config(std::ostream&, const Game::Config&);
//     static void write_position(std::ostream&, const Game::State&);
//     // The move with this number, from 1.
//     static Game::Move choose(const Game::State&, std::uint64_t number, Rng& choices);
//     static void write_move(std::ostream&, const Game::Move&, const Game::State& before);
//     static void write_stage(std::ostream&, const Game::Stage&, const Game::State& before);
//   };
#pragma once

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "engine/core/game.h"
#include "tests/engine/golden.h"
#include "tests/engine/seeds.h"

namespace tesela::test {

template <Game G>
struct Playthrough {
  std::string name;
  std::string about;  // one line, for the reader
  typename G::Config config;
  std::uint64_t seed;  // seed_of(seed); the moves are drawn with seed_of(~seed)
  std::uint64_t moves_max{std::numeric_limits<std::uint64_t>::max()};  // it may end earlier
};

/// Plays it and writes it down: configuration, seed, then each position, move and stage.
template <class Told>
std::string play_through(const Playthrough<typename Told::Game>& game) {
  using G = typename Told::Game;
  std::ostringstream out;
  out << "# " << game.about << '\n';
  Told::write_config(out, game.config);
  out << "seed " << hex(seed_of(game.seed)) << "\n\n";
  Rng rng = dice(game.seed);
  Rng choices = dice(~game.seed);
  auto s = G::start(game.config, rng).value();
  for (std::uint64_t number = 1;; ++number) {
    Told::write_position(out, s);
    const auto seat = G::turn(s);
    if (!seat || number > game.moves_max) {
      return out.str();
    }
    const typename G::Move move = Told::choose(s, number, choices);
    out << "\nmove " << number << ": ";
    Told::write_move(out, move, s);
    out << '\n';
    std::vector<typename G::Stage> stages;
    const auto after = G::apply(s, *seat, move, rng, CollectStages{stages}).value();
    for (const auto& stage : stages) {
      out << "  ";
      Told::write_stage(out, stage, s);
      out << '\n';
    }
    s = after;
  }
}

}  // namespace tesela::test
