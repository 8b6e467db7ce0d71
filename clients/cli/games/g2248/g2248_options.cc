#include "clients/cli/games/g2248/g2248_options.h"

#include <CLI/CLI.hpp>
#include <cstdint>

namespace tesela::cli {

void add_options(CLI::App& app, game::v1::Game2248Config& config) {
  app.add_option_function<std::uint32_t>(
      "--rows", [&config](std::uint32_t rows) { config.set_rows(rows); }, "Rows, 3..12 (8)");
  app.add_option_function<std::uint32_t>(
      "--columns", [&config](std::uint32_t columns) { config.set_columns(columns); },
      "Columns, 3..10 (5)");
  app.add_option_function<std::uint64_t>(
      "--goal", [&config](std::uint64_t goal) { config.set_goal(goal); },
      "The score to reach (2248)");
}

}  // namespace tesela::cli
