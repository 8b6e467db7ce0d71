#include "clients/cli/games/game_options.h"

#include <CLI/CLI.hpp>
#include <array>

#include "clients/cli/games/azul/azul_options.h"
#include "clients/cli/games/g2048/g2048_options.h"
#include "clients/cli/games/g2248/g2248_options.h"
#include "clients/cli/games/samegame/samegame_options.h"

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
    GameOptions{"2248", "A new game of 2248", &add<game::v1::Game2248Config>},
    GameOptions{"samegame", "A new game of SameGame", &add<game::v1::SameGameConfig>},
    GameOptions{"azul", "A new game of Azul, which waits for the others",
                &add<game::v1::AzulConfig>},
};

}  // namespace

std::span<const GameOptions> all_game_options() {
  return kGames;
}

void add_games(CLI::App& app, std::string& game, google::protobuf::Any& config) {
  for (const GameOptions& entry : kGames) {
    auto& subcommand = *app.add_subcommand(entry.name, entry.about);
    subcommand.fallthrough();
    subcommand.callback([&game, &config, &entry, given = entry.add(subcommand)] {
      game = entry.name;
      config.PackFrom(*given);
    });
  }
}

}  // namespace tesela::cli
