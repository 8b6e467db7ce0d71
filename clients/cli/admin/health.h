// `tesela health`: whether a server is ready, for scripts and containers.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

void add_health(CLI::App& app);

}  // namespace tesela::cli
