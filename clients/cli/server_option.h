// The option --server, the same in every subcommand that needs one.
#pragma once

#include "clients/cli/server_address.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tesela::cli {

/// `--server HOST:PORT`, or TESELA_SERVER from the environment. `address` outlives the parsing, and
/// holds the default before it.
CLI::Option* add_server_option(CLI::App& app, ServerAddress& address);

}  // namespace tesela::cli
