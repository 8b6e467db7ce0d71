// `tesela play`: the subcommand.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

void add_play(CLI::App& app);

}  // namespace tesela::cli
