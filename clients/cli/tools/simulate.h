// `tesela simulate`: games that bots play here, without a server.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

/// Adds the subcommand.
void add_simulate(CLI::App& app);

}  // namespace tesela::cli
