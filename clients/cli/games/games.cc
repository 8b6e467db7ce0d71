#include "clients/cli/games/games.h"
#include "clients/cli/base/subcommands.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "clients/cli/base/fail.h"
#include "clients/cli/screen/any_grid_screen.h"

namespace tesela::cli {
std::unique_ptr<GameScreen> make_screen(std::string_view game) {
  const auto games = all_games();
  const auto known = std::ranges::find(games, game, &TerminalGame::name);
  if (known == games.end()) return std::make_unique<AnyGridScreen>();
  return (*known)->make_screen();
}

void add_new_games(CLI::App& app, std::string& game, google::protobuf::Any& config) {
  for (const TerminalGame* entry : all_games()) {
    auto& subcommand = add_command(app, std::string{entry->name}, std::string{entry->new_game});
    subcommand.fallthrough();
    subcommand.callback([&game, &config, entry, given = entry->add_options(subcommand)] {
      game = entry->name;
      config.PackFrom(*given);
    });
  }
}

void add_local_games(CLI::App& app,
                     const std::function<void(CLI::App& app, const TerminalGame& game)>& add) {
  app.require_subcommand(0, 1);
  std::string names;
  for (const TerminalGame* game : all_games()) {
    auto& subcommand = add_command(app, std::string{game->name}, std::string{game->title});
    subcommand.fallthrough();
    add(subcommand, *game);
    names += (names.empty() ? "" : ", ") + std::string{game->name};
  }
  app.callback([&app, names] {
    if (app.get_subcommands().empty()) fail("Name the game: " + names + ".");
  });
}

const google::protobuf::FieldDescriptor* seats_field(const google::protobuf::Message& config) {
  return config.GetDescriptor()->FindFieldByName("players");
}

}  // namespace tesela::cli
