// `tesela tournament`: bots against each other over the same deals, without a server.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

/// Adds the subcommand.
void add_tournament(CLI::App& app);

}  // namespace tesela::cli
