#include "clients/cli/games/samegame/samegame_options.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>

namespace tesela::cli {
namespace {

using game::v1::SameGameConfig;

/// A file of rows of colours, 0 or a point for an empty cell.
void read_board(const std::string& path, SameGameConfig& config) {
  std::ifstream file{path};
  std::uint32_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    const int before = config.cells_size();
    for (const char character : line) {
      if (character == ' ' || character == '\t' || character == '\r') continue;
      if (character != '.' && (character < '0' || character > '9')) {
        throw CLI::ValidationError("--board", "'" + path + "' holds '" + character +
                                                  "', which is neither a digit nor a point");
      }
      config.add_cells(character == '.' ? 0 : static_cast<std::uint32_t>(character - '0'));
    }
    if (config.cells_size() > before) ++rows;
  }
  if (rows == 0) throw CLI::ValidationError("--board", "'" + path + "' holds no board");
  config.set_rows(rows);
  config.set_columns(static_cast<std::uint32_t>(config.cells_size()) / rows);
}

}  // namespace

void add_options(CLI::App& app, SameGameConfig& config) {
  app.add_option_function<std::uint32_t>(
      "--rows", [&config](std::uint32_t rows) { config.set_rows(rows); }, "Rows, 2..30 (15)");
  app.add_option_function<std::uint32_t>(
      "--columns", [&config](std::uint32_t columns) { config.set_columns(columns); },
      "Columns, 2..30 (15)");
  app.add_option_function<std::uint32_t>(
      "--colours", [&config](std::uint32_t colours) { config.set_colours(colours); },
      "Colours, 2..9 (5)");
  const std::map<std::string, game::v1::SameGamePenalty> penalties{
      {"per-colour", game::v1::SAME_GAME_PENALTY_PER_COLOUR},
      {"remaining", game::v1::SAME_GAME_PENALTY_REMAINING},
      {"none", game::v1::SAME_GAME_PENALTY_NONE}};
  app.add_option_function<std::string>(
         "--penalty",
         [&config, penalties](const std::string& name) { config.set_penalty(penalties.at(name)); },
         "What tiles cost that are left: per-colour, remaining or none (per-colour)")
      ->check(CLI::IsMember(penalties));
  app.add_option_function<std::string>(
         "--board", [&config](const std::string& path) { read_board(path, config); },
         "Play this board: a file with a line a row, a digit a tile, 0 or a point for none")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
}

}  // namespace tesela::cli
