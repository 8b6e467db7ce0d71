#include "clients/cli/games/g2048/g2048_options.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tesela::cli {
namespace {

using game::v1::Game2048Config;

void read_weights(const std::vector<std::string>& texts, Game2048Config& config) {
  for (const auto& text : texts) {
    std::uint32_t value = 0;
    std::uint32_t per_mille = 0;
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || !CLI::detail::lexical_cast(text.substr(0, colon), value) ||
        !CLI::detail::lexical_cast(text.substr(colon + 1), per_mille)) {
      throw CLI::ValidationError("--spawn", "'" + text + "' is not VALUE:PER_MILLE, such as 2:900");
    }
    auto& weight = *config.add_weights();
    weight.set_value(value);
    weight.set_per_mille(per_mille);
  }
}

}  // namespace

void add_options(CLI::App& app, Game2048Config& config) {
  const auto number = [&](const char* name, const char* what, auto setter) {
    app.add_option_function<std::uint32_t>(
        name, [&config, setter](std::uint32_t value) { std::invoke(setter, config, value); }, what);
  };
  number("--size", "Rows and columns, 2..8 (4)", &Game2048Config::set_size);
  number("--objective", "The tile to reach (2048)", &Game2048Config::set_objective);
  number("--start-tiles", "Tiles at the start (2)", &Game2048Config::set_start_tiles);
  number("--start-value", "Their value (drawn)", &Game2048Config::set_start_value);
  app.add_option_function<std::string>(
      "--preset", [&config](const std::string& name) { config.set_preset(name); },
      "A named configuration: classic, amat");
  app.add_flag_callback(
      "--stop-at-objective", [&config] { config.set_stop_at_objective(true); },
      "The game ends when the objective is reached");
  app.add_option_function<std::vector<std::string>>(
         "--spawn",
         [&config](const std::vector<std::string>& texts) { read_weights(texts, config); },
         "What appears and how often, in per mille (2:900 4:100)")
      ->type_name("VALUE:PER_MILLE");
}

}  // namespace tesela::cli
