// The subcommands for operators.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

/// Adds `tesela admin`: the commands of AdminService.
void add_admin(CLI::App& app);

/// Adds `tesela health`: whether a server is ready, for scripts and containers.
void add_health(CLI::App& app);

}  // namespace tesela::cli
