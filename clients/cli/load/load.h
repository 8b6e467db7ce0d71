// `tesela load`: the subcommand.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

void add_load(CLI::App& app);

}  // namespace tesela::cli
