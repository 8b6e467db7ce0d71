// `tesela replay`: the subcommand.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

void add_replay(CLI::App& app);

}  // namespace tesela::cli
