#include "clients/cli/games/azul/azul_options.h"

#include <CLI/CLI.hpp>
#include <cstdint>

namespace tesela::cli {

void add_options(CLI::App& app, game::v1::AzulConfig& config) {
  app.add_option_function<std::uint32_t>(
      "--players,--seats", [&config](std::uint32_t players) { config.set_players(players); },
      "How many play, 2..4 (2)");
}

}  // namespace tesela::cli
