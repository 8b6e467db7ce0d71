// `tesela watch`: the subcommand.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

void add_watch(CLI::App& app);

}  // namespace tesela::cli
