// `tesela games`: the subcommand.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

void add_finished_games(CLI::App& app);

}  // namespace tesela::cli
