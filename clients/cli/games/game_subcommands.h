// `tesela SUBCOMMAND GAME`: what the subcommands have in common that do something with one game
// here, without a server.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

#include "clients/cli/base/fail.h"
#include "clients/cli/games/local_games.h"

namespace tesela::cli {

/// Gives `app` a subcommand for every game, to which add(subcommand, LocalGame<…>{}) gives options
/// and a callback. The options of `app` can stand behind the game. Without a game `app` fails.
template <class Add>
void add_local_games(CLI::App& app, Add&& add) {
  app.require_subcommand(0, 1);
  std::string names;
  each_local_game([&]<class Local>(Local game) {
    const std::string name{Local::G::kName};
    auto& subcommand = *app.add_subcommand(name, std::string{Local::Words::kTitle});
    subcommand.fallthrough();
    add(subcommand, game);
    names += (names.empty() ? "" : ", ") + name;
  });
  app.callback([&app, names] {
    if (app.get_subcommands().empty()) fail("Name the game: " + names + ".");
  });
}

}  // namespace tesela::cli
