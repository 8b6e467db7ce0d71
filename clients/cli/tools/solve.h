// `tesela solve`: one player's positions, played to the end for the score.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

/// Adds the subcommand.
void add_solve(CLI::App& app);

}  // namespace tesela::cli
