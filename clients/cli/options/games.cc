#include "clients/cli/options/games.h"

#include <CLI/CLI.hpp>
#include <array>

#include "clients/cli/options/g2048_options.h"

namespace tesela::cli {
namespace {

template <class Config>
std::shared_ptr<google::protobuf::Message> add(CLI::App& app) {
  auto config = std::make_shared<Config>();
  add_options(app, *config);
  return config;
}

// A new game is a line here.
constexpr std::array kGames = {
    GameOptions{"2048", "A new game of 2048", &add<game::v1::Game2048Config>},
};

}  // namespace

std::span<const GameOptions> all_game_options() {
  return kGames;
}

}  // namespace tesela::cli
