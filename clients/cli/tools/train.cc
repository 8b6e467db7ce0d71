#include "clients/cli/train/train.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "clients/cli/base/fail.h"
#include "clients/cli/tools/bot_options.h"
#include "clients/cli/tools/subcommands.h"

namespace tesela::cli {
namespace {

/// An option for a whole number from 1 on.
void add_count(CLI::App& app, const std::string& name, std::uint64_t& count,
               const std::string& about) {
  app.add_option(name, count, about)
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
      ->capture_default_str();
}

/// The options that every game has.
template <class Training>
std::shared_ptr<Training> add_training(CLI::App& app) {
  auto training = std::make_shared<Training>();
  training->threads = threads_by_default();
  add_count(app, "--games", training->games, "Games of a point or a generation");
  add_count(app, "--generations", training->generations, "Generations");
  add_count(app, "--nodes", training->nodes, "Nodes of a move");
  app.add_option("--seed", training->seed, "Number of the dice")->capture_default_str();
  add_threads(app, training->threads);
  return training;
}

}  // namespace

void add_train(CLI::App& app) {
  auto& train = *app.add_subcommand(
      "train", "Set the weights of a search by self-play; engine/strategy/README.md has the logs");
  train.require_subcommand(0, 1);
  train.callback([&train] {
    if (train.get_subcommands().empty()) fail("Name the game: azul, 2048, 2248.");
  });

  auto& azul = *train.add_subcommand(
      "azul", "What boards between two rounds are worth, by regression on games of the search");
  const auto of_azul = add_training<AzulTraining>(azul);
  azul.add_flag("--from-nothing", of_azul->from_nothing,
                "Begin with guessed weights, and not with those in use");
  azul.callback([of_azul] { train_azul(*of_azul, std::cout); });

  auto& g2048 =
      *train.add_subcommand("2048", "What lines of a board are worth, by CMA-ES on its games");
  const auto of_2048 = add_training<G2048Training>(g2048);
  g2048.add_option("--depth", of_2048->depth, "Moves that a search looks ahead")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  g2048.callback([of_2048] { train_2048(*of_2048, std::cout); });

  auto& g2248 = *train.add_subcommand(
      "2248", "What the board after a chain looks worth, by CMA-ES on the search's games");
  const auto of_2248 = add_training<G2248Training>(g2248);
  add_count(g2248, "--moves", of_2248->moves, "Moves of a game");
  g2248.callback([of_2248] { train_2248(*of_2248, std::cout); });
}

}  // namespace tesela::cli
