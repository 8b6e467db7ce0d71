// `tesela board`: the subcommand.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

void add_board(CLI::App& app);

}  // namespace tesela::cli
