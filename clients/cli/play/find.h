// `tesela find`: the subcommand.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

void add_find(CLI::App& app);

}  // namespace tesela::cli
