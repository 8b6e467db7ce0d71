// `tesela hint`: what strategies advise in a position.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

/// Adds the subcommand.
void add_hint(CLI::App& app);

}  // namespace tesela::cli
