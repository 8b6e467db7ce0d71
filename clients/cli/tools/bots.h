// `tesela bots`: the strategies there are.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

/// Adds the subcommand.
void add_bots(CLI::App& app);

}  // namespace tesela::cli
