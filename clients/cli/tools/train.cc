#include "clients/cli/train/train.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/tools/bot_options.h"

namespace tesela::cli {
namespace {

/// A search with weights, and the defaults of its training.
struct TrainedSearch {
  std::string game;
  std::string about;
  Training defaults;
  void (*train)(const Training& training, std::ostream& out);
};

std::array<TrainedSearch, 3> trained_searches() {
  return {{
      {.game = "azul",
       .about = "The value of boards between two rounds, by regression on games of the search",
       .defaults =
           {.games = 1'500, .generations = 1, .nodes = 2'000, .seed = 1, .from_nothing = false},
       .train = train_azul},
      {.game = "2048",
       .about = "The value of lines of a board, by CMA-ES on its games",
       .defaults = {.games = 150, .generations = 30, .nodes = 20'000, .seed = 2048, .depth = 2},
       .train = train_2048},
      {.game = "2248",
       .about = "The value of the board after a chain, by CMA-ES on the search's games",
       .defaults = {.games = 30, .generations = 20, .nodes = 150, .seed = 2248, .moves = 300},
       .train = train_2248},
  }};
}

/// An option for a whole number from 1 on.
void add_count(CLI::App& app, const std::string& name, std::uint64_t& count,
               const std::string& about) {
  app.add_option(name, count, about)
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
      ->capture_default_str();
}

void add_search(CLI::App& train, const TrainedSearch& search) {
  auto& app = add_command(train, search.game, search.about);
  const auto training = std::make_shared<Training>(search.defaults);
  training->threads = threads_by_default();
  add_count(app, "--games", training->games, "Games of a point or a generation");
  add_count(app, "--generations", training->generations, "Generations");
  add_count(app, "--nodes", training->nodes, "Nodes of a move");
  app.add_option("--seed", training->seed, "Number of the dice")->capture_default_str();
  add_threads(app, training->threads);
  if (training->depth) {
    app.add_option("--depth", *training->depth, "Moves that a search looks ahead")
        ->check(CLI::Range(1, 16))
        ->capture_default_str();
  }
  if (training->moves) add_count(app, "--moves", *training->moves, "Moves of a game");
  if (training->from_nothing) {
    app.add_flag("--from-nothing", *training->from_nothing,
                 "Begin with guessed weights, and not with those in use");
  }
  app.callback([training, run = search.train] { run(*training, std::cout); });
}

}  // namespace

void add_train(CLI::App& app) {
  auto& train = add_command(
      app, "train",
      "Set the weights of a search by self-play; engine/strategy/README.md has figures");
  train.require_subcommand(0, 1);
  train.callback([&train] {
    if (train.get_subcommands().empty()) fail("Name the game: azul, 2048, 2248.");
  });
  for (const TrainedSearch& search : trained_searches()) add_search(train, search);
}

}  // namespace tesela::cli
